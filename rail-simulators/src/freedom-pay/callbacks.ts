/**
 * Tells the client at the address that came with a payout what became of it, until it is taken. The faults of callbacks are
 * played here; why something is told is freedom-pay.ts's.
 */
import type { Clock } from '../clock.ts';
import { type Attempt, postForm } from '../kernel/retrying-sender.ts';
import { Telling } from '../kernel/telling.ts';
import type { BookEntry } from './book.ts';
import { sentenceOf } from './errors.ts';
import type { Faults } from './faults.ts';
import { faultsOf } from './magic-amounts.ts';
import { type Fields, signed } from './signature.ts';

export interface CallbacksOptions {
  readonly merchantId: string;
  readonly payoutSecret: string;
  readonly clock: Clock;
  readonly faults: Readonly<Faults>;
  /** How long a late callback is late, and how long one waits for another to overtake it. */
  readonly lateMs: number;
  /** What is left for payouts. */
  readonly balance: () => string;
  readonly log: (line: string) => void;
  readonly onAccepted: (entry: BookEntry) => void;
}

export class Callbacks extends Telling<BookEntry, 'taken'> {
  constructor(options: CallbacksOptions) {
    super({
      ...options,
      owner: 'Freedom Pay',
      nameOf: ({ paymentId }) => String(paymentId),
      subjectOf: ({ paymentId }) => String(paymentId),
      fault: ({ amount }) => faultsOf(options.faults, amount).notifications,
      attempt: (entry, stopping) => tell(options, entry, stopping),
    });
  }
}

async function tell(
  { merchantId, payoutSecret, faults, balance }: CallbacksOptions,
  entry: BookEntry,
  stopping: AbortSignal,
): Promise<Attempt<'taken'>> {
  const { postLink } = entry;
  const script = postLink.slice(postLink.lastIndexOf('/') + 1);
  const mode = faultsOf(faults, entry.amount).notifications;
  const fields = callbackOf(entry, merchantId, balance(), mode === 'wrong_amount' ? '999999.99' : entry.amount);
  const form = signed(script, fields, payoutSecret, mode === 'forged' ? 'wrong' : 'right');
  const reply = await postForm(postLink, form, stopping);
  if ('refusal' in reply) return reply;
  return reply.status === 200 ? { answer: 'taken' } : { refusal: `HTTP ${reply.status}` };
}

function callbackOf(entry: BookEntry, merchantId: string, balance: string, amount: string): Fields {
  const { paymentId, orderId, maskedCard, status, code, at } = entry;
  const failure = code === '' ? {} : { pg_error_code: code, pg_error_description: sentenceOf(code) };
  return {
    pg_payment_id: String(paymentId),
    pg_order_id: orderId,
    pg_merchant_id: merchantId,
    pg_status: status === 'success' ? 'ok' : 'error',
    pg_balance: balance,
    pg_payment_amount: amount,
    pg_to_pay: amount,
    pg_payment_date: at.slice(0, 19).replace('T', ' '),
    pg_card_hash: maskedCard,
    ...failure,
  };
}
