/** What rails say of a payout, where all of them say it alike. */
import type { BlockedCode } from '../../domain/payouts/payout.ts';
import type { RailAnswer } from '../../domain/payouts/payout-rail.ts';
import type { Unanswered } from './provider-http.ts';

export type Declined = Extract<RailAnswer, { kind: 'declined' }>;
/** What a provider's refusal can mean for a payout that was to be made. */
export type Refused = Extract<RailAnswer, { kind: 'declined' | 'not_taken' | 'unknown' }>;
export type NotTaken = Extract<RailAnswer, { kind: 'not_taken' }>;
export type Unknown = Extract<RailAnswer, { kind: 'unknown' }>;

export function declined(code: Declined['code'], reason: string): Declined {
  return { kind: 'declined', code, reason };
}

export function notTaken(reason: string): NotTaken {
  return { kind: 'not_taken', reason };
}

export function unknown(reason: string): Unknown {
  return { kind: 'unknown', reason };
}

/** By what a provider says, our code for it: such a table is easier to read the other way round. */
export function declineCodesOf(
  saidByCode: Readonly<Partial<Record<BlockedCode, readonly string[]>>>,
): ReadonlyMap<string, BlockedCode> {
  return new Map(Object.entries(saidByCode).flatMap(([code, said]) => said.map((each) => [each, code as BlockedCode])));
}

/** What no answer to a payout proves of it. */
export function unanswered({ kind, reason }: Unanswered): NotTaken | Unknown {
  return kind === 'not_connected' ? notTaken(reason) : unknown(reason);
}
