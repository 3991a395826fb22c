/**
 * Tells the client of each event of a transfer: the whole transfer in a signed body, until it is accepted. The faults of the
 * webhooks are played here; why something is told is transfers.ts's.
 */
import { createHmac } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { type Attempt, postJson } from '../kernel/retrying-sender.ts';
import { Telling } from '../kernel/telling.ts';
import type { BookEntry } from './book.ts';
import type { Faults } from './faults.ts';
import { faultsOf } from './magic-amounts.ts';
import { dataView } from './views.ts';

export interface WebhooksOptions {
  readonly url: string;
  readonly balanceAccount: string;
  /** Hexadecimal. */
  readonly hmacKey: string;
  readonly clock: Clock;
  readonly faults: Readonly<Faults>;
  /** How long a late webhook is late, and how long one waits for another to overtake it. */
  readonly lateMs: number;
  readonly log: (line: string) => void;
}

const otherValue = 99_999_999;
const otherKey = 'f0'.repeat(32);

export class Webhooks {
  readonly #options: WebhooksOptions;
  readonly #telling: Telling<BookEntry, 'accepted'>;

  constructor(options: WebhooksOptions) {
    const { clock, faults, lateMs, log } = options;
    this.#options = options;
    this.#telling = new Telling<BookEntry, 'accepted'>({
      owner: 'Adyen',
      nameOf: ({ id, status }) => `${id} ${status}`,
      attempt: (entry, stopping) => post(options, writeWebhook(entry, options), options.hmacKey, stopping),
      onAccepted: () => {},
      clock,
      log,
      subjectOf: ({ id }) => id,
      fault: ({ value }) => faultsOf(faults, value).webhooks,
      lateMs,
    });
  }

  /** Resolves after the first attempt, when that is made at once. */
  async tell(entry: BookEntry): Promise<void> {
    if (faultsOf(this.#options.faults, entry.value).webhooks === 'forged') await this.#tellForged(entry);
    await this.#telling.tell(entry);
  }

  /** Forgets everything that waits and breaks off what is under way. */
  stop(): void {
    this.#telling.stop();
  }

  /** A forger would have us believe the opposite. */
  async #tellForged(entry: BookEntry): Promise<void> {
    const isPaid = entry.status === 'booked';
    const lie: BookEntry = {
      ...entry,
      status: isPaid ? 'refused' : 'booked',
      reason: isPaid ? 'declined' : 'approved',
    };
    await post(this.#options, writeWebhook(lie, this.#options), otherKey, new AbortController().signal);
  }
}

function writeWebhook(entry: BookEntry, { balanceAccount, faults }: WebhooksOptions): string {
  const told = faultsOf(faults, entry.value).webhooks === 'wrong_amount' ? { ...entry, value: otherValue } : entry;
  return JSON.stringify({
    data: dataView(told, balanceAccount),
    environment: 'test',
    timestamp: entry.at,
    type: `balancePlatform.transfer.${entry.events.length === 1 ? 'created' : 'updated'}`,
  });
}

async function post(
  { url }: WebhooksOptions,
  body: string,
  hmacKey: string,
  stopping: AbortSignal,
): Promise<Attempt<'accepted'>> {
  const headers = { HmacSignature: signatureOf(body, hmacKey), Protocol: 'HmacSHA256' };
  const reply = await postJson(url, body, headers, stopping);
  if ('refusal' in reply) return reply;
  return reply.status >= 200 && reply.status < 300 ? { answer: 'accepted' } : { refusal: `HTTP ${reply.status}` };
}

/** Over the body as it is sent; the key is the bytes that its hexadecimal digits spell. */
export function signatureOf(body: string, hexKey: string): string {
  return createHmac('sha256', Buffer.from(hexKey, 'hex')).update(body).digest('base64');
}
