/** The answers about a payout that all rails share. */
import type { BlockedCode } from '../../domain/payouts/payout.ts';
import type { RailAnswer } from '../../domain/payouts/payout-rail.ts';
import type { Unanswered } from './provider-http.ts';

export type Declined = Extract<RailAnswer, { kind: 'declined' }>;
/** The possible meanings of a provider's rejection for a payout that we asked it to make. */
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

/** Maps a provider's reason to our code. The table lists the reasons by code, because people read that more easily. */
export function declineCodesOf(
  saidByCode: Readonly<Partial<Record<BlockedCode, readonly string[]>>>,
): ReadonlyMap<string, BlockedCode> {
  return new Map(Object.entries(saidByCode).flatMap(([code, said]) => said.map((each) => [each, code as BlockedCode])));
}

/** The result of a payout request without an answer: not taken if we never connected, otherwise unknown. */
export function unanswered({ kind, reason }: Unanswered): NotTaken | Unknown {
  return kind === 'not_connected' ? notTaken(reason) : unknown(reason);
}
