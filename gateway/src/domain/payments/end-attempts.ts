/**
 * The operator has it from the provider, by its portal or its statement, that a payer's payment was not made, and the
 * provider will never tell us. Its attempts end as refused; the deposit then goes on or expires by itself. Money that comes
 * all the same counts as money that comes after a refusal does.
 */
import { HOUR_MS } from '../../foundation/clock.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { DepositKey } from '../deposits/deposit.ts';
import { type WordsRefusal, wordsFault } from '../operators/operator-words.ts';
import type { DepositRecordStore } from './deposit-record.ts';
import { type RecordParts, settle } from './pay.ts';
import { isUnderWay, type PaymentAttempt } from './payment-attempt.ts';
import type { AttemptNews } from './settle-attempt.ts';

export interface EndAttemptsOrder extends DepositKey {
  /** What the provider said, and where. */
  readonly reason: string;
}

export type EndAttemptsRefusal =
  | WordsRefusal
  | { readonly kind: 'deposit_not_found' }
  /** The provider may still be told something by whoever began it. */
  | { readonly kind: 'just_begun' }
  | { readonly kind: 'nothing_under_way' };

/** Gives the attempts that it ended, as they were. */
export type EndAttempts = (order: EndAttemptsOrder) => Promise<Result<readonly PaymentAttempt[], EndAttemptsRefusal>>;

export interface EndAttemptsParts extends RecordParts {
  readonly records: Pick<DepositRecordStore, 'record'>;
}

/** What has ended is not asked about again. */
const NO_PACE = { askAfterMs: [HOUR_MS], notFoundProofMs: HOUR_MS } as const;

export function createEndAttempts(parts: EndAttemptsParts): EndAttempts {
  return async ({ reason, ...key }) => {
    const fault = wordsFault({ reason });
    if (fault) return fail(fault);
    const record = await parts.records.record(key);
    if (!record) return fail({ kind: 'deposit_not_found' });
    const underWay = record.attempts.filter(isUnderWay);
    if (underWay.length === 0) return fail({ kind: 'nothing_under_way' });
    const now = parts.clock.now();
    if (underWay.some(({ sendUntil }) => now < sendUntil)) return fail({ kind: 'just_begun' });
    for (const attempt of underWay) await settle(parts, NO_PACE, attempt, refusedBy(reason, attempt));
    return ok(underWay);
  };
}

function refusedBy(reason: string, { providerReference }: PaymentAttempt): AttemptNews {
  return { kind: 'refused', refusal: 'declined', canRetry: true, detail: `operator: ${reason}`, providerReference };
}
