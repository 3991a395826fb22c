/**
 * Tells the client what became of an order, each thing until it is acknowledged by a signed OK. The faults of notifications
 * are played here; why something is told is trustly.ts's.
 */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type Clock, TimerSet } from '../clock.ts';
import { InTurn } from '../provider-server/in-turn.ts';
import { Overtaking } from '../provider-server/overtaking.ts';
import { type Attempt, postJson, RetryingSender } from '../provider-server/retrying-sender.ts';
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

const limits = { underWay: 32, waiting: 10_000 };

export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #timers: TimerSet;
  readonly #sender: RetryingSender<BookEntry, 'OK'>;
  /** By order: what is told of it is told in its order, each after the first attempt of the one before. */
  readonly #inTurn = new InTurn<string>();
  readonly #overtaking: Overtaking<BookEntry>;

  constructor(options: DeliveriesOptions) {
    const { clock, log, onAcknowledged } = options;
    this.#options = options;
    this.#timers = new TimerSet(clock);
    this.#overtaking = new Overtaking(this.#timers, options.lateMs, (entry) => this.#send(entry));
    this.#sender = new RetryingSender<BookEntry, 'OK'>({
      owner: 'Trustly',
      nameOf: ({ orderId, notification }) => `${orderId}.${notification?.method}`,
      attempt: (entry, stopping) => tell(options, entry, stopping),
      onAccepted: onAcknowledged,
      clock,
      log,
      limits,
    });
  }

  /** In the way that the fault of the moment says. Resolves after the first attempt, or at once where that is put off. */
  tell(entry: BookEntry): Promise<void> {
    switch (this.#options.faults.notifications) {
      case 'off':
        return Promise.resolve();
      case 'late':
        this.#timers.after(this.#options.lateMs, () => void this.#send(entry));
        return Promise.resolve();
      case 'out_of_order':
        return this.#overtaking.tell(entry);
      case 'twice':
        return Promise.all([this.#send(entry), this.#sender.send(entry)]).then(() => undefined);
      default:
        return this.#send(entry);
    }
  }

  /** Forgets everything that waits and breaks off what is under way. */
  stop(): void {
    this.#timers.cancelAll();
    this.#overtaking.stop();
    this.#inTurn.stop();
    this.#sender.stop();
  }

  #send(entry: BookEntry): Promise<void> {
    return this.#inTurn.run(entry.orderId, () => this.#sender.send(entry));
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
