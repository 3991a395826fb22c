/**
 * Tells the client how its payouts stand, each thing until it is accepted by a 2xx. The faults of webhooks are played here;
 * why something is told is razorpayx.ts's.
 */
import type { Clock } from '../clock.ts';
import { type Attempt, postJson } from '../kernel/retrying-sender.ts';
import { Telling } from '../kernel/telling.ts';
import { type Account, webhookSignature } from './authentication.ts';
import type { BookEntry } from './book.ts';
import type { Status } from './conducts.ts';
import type { Faults } from './faults.ts';
import { faultsOf } from './magic-amounts.ts';
import { payoutView, secondOf } from './views.ts';

export interface WebhooksOptions {
  readonly url: string;
  readonly account: Account;
  readonly clock: Clock;
  readonly faults: Readonly<Faults>;
  /** How long a late webhook is late, and how long one waits for another to overtake it. */
  readonly lateMs: number;
  readonly log: (line: string) => void;
}

export class Webhooks extends Telling<BookEntry, 'accepted'> {
  constructor(options: WebhooksOptions) {
    super({
      ...options,
      owner: 'RazorpayX',
      nameOf: (entry) => `${eventOf(entry)} of ${entry.id}`,
      subjectOf: ({ id }) => id,
      fault: ({ amount }) => faultsOf(options.faults, amount).notifications,
      attempt: (entry, stopping) => post(options, entry, stopping),
      onAccepted: () => {},
    });
  }
}

const events: Readonly<Record<Status, string>> = {
  pending: 'payout.pending',
  queued: 'payout.queued',
  processing: 'payout.initiated',
  processed: 'payout.processed',
  reversed: 'payout.reversed',
  failed: 'payout.failed',
  rejected: 'payout.rejected',
  // There is no event for it.
  cancelled: 'payout.updated',
};

function eventOf({ kind, status }: BookEntry): string {
  return kind === 'updated' ? 'payout.updated' : events[status];
}

const otherAmount = 99_999_999;
const otherReference = '99-FoReIgN1';

async function post(options: WebhooksOptions, entry: BookEntry, stopping: AbortSignal): Promise<Attempt<'accepted'>> {
  const { url, account, faults } = options;
  const mode = faultsOf(faults, entry.amount).notifications;
  if (mode === 'off') return { refusal: 'switched off' };
  const body = JSON.stringify(eventBody(entry, account.accountNumber, mode));
  const secret = mode === 'forged' ? `not ${account.webhookSecret}` : account.webhookSecret;
  const headers = { 'x-razorpay-signature': webhookSignature(body, secret), 'x-razorpay-event-id': `evt_${entry.seq}` };
  const reply = await postJson(url, body, headers, stopping);
  if ('refusal' in reply) return reply;
  return reply.status >= 200 && reply.status < 300 ? { answer: 'accepted' } : { refusal: `HTTP ${reply.status}` };
}

function eventBody(entry: BookEntry, accountNumber: string, mode: Faults['notifications']): object {
  const view = payoutView(entry, accountNumber);
  const lie = {
    ...(mode === 'wrong_amount' ? { amount: otherAmount } : {}),
    ...(mode === 'foreign_reference' ? { reference_id: otherReference } : {}),
  };
  return {
    entity: 'event',
    account_id: 'acc_00000000000001',
    event: eventOf(entry),
    contains: ['payout'],
    payload: { payout: { entity: { ...view, ...lie } } },
    created_at: secondOf(entry.at),
  };
}
