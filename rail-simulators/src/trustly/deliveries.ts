/**
 * Tells the client what became of an order, each thing until it is acknowledged by a signed OK. The faults of notifications
 * are played here; why something is told is trustly.ts's.
 */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { type Attempt, postJson } from '../kernel/retrying-sender.ts';
import { Telling } from '../kernel/telling.ts';
import type { BookEntry } from './book.ts';
import type { Faults } from './faults.ts';
import { isSigned, parseKeepingNumbers, sign } from './signed-texts.ts';
import { timestampOf } from './timestamps.ts';

export interface DeliveriesOptions {
  readonly clock: Clock;
  readonly faults: Readonly<Faults>;
  readonly privateKey: KeyObject;
  /** The key that the client's acknowledgements are proved by. */
  readonly findPublicKey: () => KeyObject | undefined;
  /** How long a late notification is late, and how long one waits for another to overtake it. */
  readonly lateMs: number;
  readonly log: (line: string) => void;
  readonly onAcknowledged: (entry: BookEntry) => void;
}

export class Deliveries extends Telling<BookEntry, 'OK'> {
  constructor(options: DeliveriesOptions) {
    super({
      ...options,
      owner: 'Trustly',
      nameOf: ({ orderId, notification }) => `${orderId}.${notification?.method}`,
      subjectOf: ({ orderId }) => orderId,
      fault: () => options.faults.notifications,
      attempt: (entry, stopping) => tell(options, entry, stopping),
      onAccepted: options.onAcknowledged,
    });
  }
}

async function tell(options: DeliveriesOptions, entry: BookEntry, stopping: AbortSignal): Promise<Attempt<'OK'>> {
  const { notification, notificationUrl } = entry;
  if (notification === null) return { answer: 'OK' };
  if (options.faults.notifications === 'off') return { refusal: 'switched off' };
  const reply = await postJson(notificationUrl, write(options, entry), {}, stopping);
  if ('refusal' in reply) return reply;
  const answer = resultOf(parseKeepingNumbers(Buffer.from(reply.text)));
  const { method, uuid } = notification;
  const data = answer['data'];
  const key = options.findPublicKey();
  const isOk =
    reply.status === 200 &&
    answer['uuid'] === uuid &&
    answer['method'] === method &&
    (data as { status?: unknown } | undefined)?.status === 'OK';
  if (!isOk) return { refusal: `HTTP ${reply.status}` };
  const isTheirs = key !== undefined && isSigned({ method, uuid, data }, answer['signature'], key);
  return isTheirs ? { answer: 'OK' } : { refusal: 'the answer is not signed by the client' };
}

function resultOf(value: unknown): Readonly<Record<string, unknown>> {
  const result = (value as { result?: unknown } | undefined)?.result;
  return typeof result === 'object' && result !== null ? (result as Record<string, unknown>) : {};
}

let foreignKey: KeyObject | undefined;

/** A key that nobody knows, for what only seems to come from Trustly. */
export function keyOfNobody(): KeyObject {
  foreignKey ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  return foreignKey;
}

const otherAmount = '999999.99';

const account = {
  accountid: '1234567890',
  verified: '1',
  attributes: { clearinghouse: 'FINLAND', bank: 'Nordbank', descriptor: '**** *084057', lastdigits: '084057' },
};

function write({ faults, privateKey }: DeliveriesOptions, entry: BookEntry): string {
  const { notification, at } = entry;
  const { method, uuid, amount, notificationId } = notification ?? {
    method: '',
    uuid: '',
    amount: '',
    notificationId: '',
  };
  const mode = faults.notifications;
  const about = { messageid: entry.messageId, orderid: entry.orderId, notificationid: notificationId };
  const common = { ...about, enduserid: entry.endUserId, timestamp: timestampOf(at) };
  const told = (text: string) => (text === '' ? {} : { amount: text, currency: 'EUR', attributes: {} });
  const ofMoney = { ...told(mode === 'wrong_amount' && amount !== '' ? otherAmount : amount), ...common };
  const data = method === 'account' ? { ...about, ...account } : ofMoney;
  const signature = sign({ method, uuid, data }, mode === 'foreign_key' ? keyOfNobody() : privateKey, faults.hash);
  const sent = mode === 'forged' ? { ...data, ...told(otherAmount) } : data;
  return JSON.stringify({ method, params: { signature, uuid, data: sent }, version: '1.1' });
}
