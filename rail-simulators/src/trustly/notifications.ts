/** Notifies the client of each event of an order, until a signed OK acknowledges it. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { asFields, parseKeepingNumbers } from '../kernel/fields.ts';
import { Notifier } from '../kernel/notifier.ts';
import { jsonLetter } from '../kernel/retrying-sender.ts';
import type { BookEntry, Notification } from './book.ts';
import type { Faults } from './faults.ts';
import type { TrustlyWorks } from './processing.ts';
import { isSigned, sign } from './signature.ts';

interface Keys {
  readonly privateKey: KeyObject;
  /** Returns the key that verifies the client's acknowledgements. */
  readonly findPublicKey: () => KeyObject | undefined;
}

const NONE: Notification = { notificationId: '', uuid: '', method: 'pending', amount: '' };

export function createDeliveries(
  works: TrustlyWorks,
  { privateKey, findPublicKey }: Keys,
  onAccepted: (entry: BookEntry) => void,
): Notifier<BookEntry> {
  return new Notifier<BookEntry>(works, {
    owner: 'Trustly',
    nameOf: ({ orderId, notification }) => `${orderId}.${notification?.method}`,
    subjectOf: ({ orderId }) => orderId,
    fault: () => works.faults.notifications,
    write: (entry) => jsonLetter(entry.notificationUrl, write(entry, works.faults, privateKey)),
    isAccepted({ status, text }, { notification }) {
      const answer = asFields(parseKeepingNumbers(text)?.['result']);
      const { method, uuid } = notification ?? NONE;
      const data = answer['data'];
      const isOk = answer['uuid'] === uuid && answer['method'] === method && asFields(data)['status'] === 'OK';
      const key = findPublicKey();
      return status === 200 && isOk && key !== undefined && isSigned({ method, uuid, data }, answer['signature'], key);
    },
    onAccepted,
  });
}

let foreignKey: KeyObject | undefined;

/** Returns a random key for forged messages. */
export function keyOfNobody(): KeyObject {
  foreignKey ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  return foreignKey;
}

/** Returns a time in Trustly's format: a space between date and time, six decimals, and the hours of the zone. */
export function timestampOf(isoTime: string): string {
  return `${isoTime.slice(0, 10)} ${isoTime.slice(11, 23)}000+00`;
}

const OTHER_AMOUNT = '999999.99';

const ACCOUNT = {
  accountid: '1234567890',
  verified: '1',
  attributes: { clearinghouse: 'FINLAND', bank: 'Nordbank', descriptor: '**** *084057', lastdigits: '084057' },
};

function write(entry: BookEntry, faults: Readonly<Faults>, privateKey: KeyObject): object {
  const { method, uuid, amount, notificationId } = entry.notification ?? NONE;
  const mode = faults.notifications;
  const about = { messageid: entry.messageId, orderid: entry.orderId, notificationid: notificationId };
  const common = { ...about, enduserid: entry.endUserId, timestamp: timestampOf(entry.at) };
  const ofAmount = (text: string) => (text === '' ? {} : { amount: text, currency: 'EUR', attributes: {} });
  const ofMoney = { ...ofAmount(mode === 'wrong_amount' && amount !== '' ? OTHER_AMOUNT : amount), ...common };
  const data = method === 'account' ? { ...about, ...ACCOUNT } : ofMoney;
  const signature = sign({ method, uuid, data }, mode === 'foreign_key' ? keyOfNobody() : privateKey, faults.hash);
  const sent = mode === 'forged' ? { ...data, ...ofAmount(OTHER_AMOUNT) } : data;
  return { method, params: { signature, uuid, data: sent }, version: '1.1' };
}
