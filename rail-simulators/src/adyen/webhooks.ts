/**
 * Tells the client what happened: one item to a webhook, signed, until it is accepted. The faults of the webhooks are
 * played here; why something is told is adyen.ts's.
 */
import { createHmac } from 'node:crypto';
import { type Clock, TimerSet } from '../clock.ts';
import { Overtaking } from '../kernel/overtaking.ts';
import { type Attempt, postJson, RetryingSender } from '../kernel/retrying-sender.ts';
import type { BookEntry, WebhookEvent } from './book.ts';
import type { Faults } from './faults.ts';

export interface WebhooksOptions {
  readonly url: string;
  readonly merchantAccount: string;
  /** Hexadecimal. */
  readonly hmacKey: string;
  readonly clock: Clock;
  readonly faults: Readonly<Faults>;
  /** How long a late webhook is late, and how long one waits for another to overtake it. */
  readonly lateMs: number;
  readonly log: (line: string) => void;
  readonly onAccepted: (entry: BookEntry) => void;
}

interface Message {
  readonly entry: BookEntry;
  readonly lie: 'none' | 'amount' | 'forged';
}

export class Webhooks {
  readonly #options: WebhooksOptions;
  readonly #timers: TimerSet;
  readonly #sender: RetryingSender<Message, 'accepted'>;
  readonly #overtaking: Overtaking<BookEntry>;

  constructor(options: WebhooksOptions) {
    const { clock, log, onAccepted } = options;
    this.#options = options;
    this.#timers = new TimerSet(clock);
    const send = (entry: BookEntry) => this.#sender.send({ entry, lie: 'none' });
    this.#overtaking = new Overtaking(this.#timers, options.lateMs, send);
    this.#sender = new RetryingSender<Message, 'accepted'>({
      owner: 'Adyen',
      nameOf: ({ entry }) => `${entry.event?.eventCode} ${entry.event?.pspReference}`,
      attempt: (message, stopping) => post(options, message, stopping),
      onAccepted: ({ entry }) => onAccepted(entry),
      clock,
      log,
    });
  }

  /** Resolves after the first attempt, when that is made at once. */
  tell(entry: BookEntry): Promise<unknown> {
    const send = (lie: Message['lie'] = 'none') => this.#sender.send({ entry, lie });
    switch (this.#options.faults.webhooks) {
      case 'late':
        this.#timers.after(this.#options.lateMs, () => void send());
        return Promise.resolve();
      case 'out_of_order':
        return this.#overtaking.tell(entry);
      case 'twice':
        return Promise.all([send(), send()]);
      case 'wrong_amount':
        return send('amount');
      case 'forged':
        void this.#postForged(entry);
        return send();
      default:
        return send();
    }
  }

  /** Forgets everything that waits and breaks off what is under way. */
  stop(): void {
    this.#timers.cancelAll();
    this.#overtaking.stop();
    this.#sender.stop();
  }

  async #postForged(entry: BookEntry): Promise<void> {
    await post(this.#options, { entry, lie: 'forged' }, new AbortController().signal);
  }
}

async function post(options: WebhooksOptions, message: Message, stopping: AbortSignal): Promise<Attempt<'accepted'>> {
  if (options.faults.webhooks === 'off') return { refusal: 'switched off' };
  const body = writeWebhook(message, options);
  if (body === undefined) return { answer: 'accepted' };
  const reply = await postJson(options.url, body, {}, stopping);
  if ('refusal' in reply) return reply;
  return reply.status >= 200 && reply.status < 300 ? { answer: 'accepted' } : { refusal: `HTTP ${reply.status}` };
}

function writeWebhook({ entry, lie }: Message, { merchantAccount, hmacKey }: WebhooksOptions): string | undefined {
  const { event, currency, brand, lastFour, at } = entry;
  if (event === null) return undefined;
  const { value, success, ...rest } = event;
  const item = {
    ...rest,
    amount: { currency, value: lie === 'amount' ? 99_999_999 : value },
    eventDate: at,
    merchantAccountCode: merchantAccount,
    paymentMethod: brand,
    // A forger would tell us what pays.
    success: String(success || lie === 'forged'),
  };
  const hmacSignature = signatureOf(item, lie === 'forged' ? 'f0'.repeat(32) : hmacKey);
  const additionalData = { hmacSignature, cardSummary: lastFour };
  return JSON.stringify({
    live: 'false',
    notificationItems: [{ NotificationRequestItem: { ...item, additionalData } }],
  });
}

type SignedItem = Omit<WebhookEvent, 'value' | 'success' | 'reason'> & {
  readonly amount: { readonly currency: string; readonly value: number };
  readonly merchantAccountCode: string;
  readonly success: string;
};

/** Eight fields, joined by colons, nothing escaped; the key is the bytes that its hexadecimal digits spell. */
export function signatureOf(item: SignedItem, hexKey: string): string {
  const { pspReference, originalReference, merchantAccountCode, merchantReference, amount, eventCode, success } = item;
  const fields = [
    pspReference,
    originalReference,
    merchantAccountCode,
    merchantReference,
    amount.value,
    amount.currency,
    eventCode,
    success,
  ];
  return createHmac('sha256', Buffer.from(hexKey, 'hex')).update(fields.join(':')).digest('base64');
}
