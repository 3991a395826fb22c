/** The responses and readings that rails share: about payouts, payments and refunds, and about notifications. */
import type { NotificationFailure } from '../../domain/notifications/rail-notification.ts';
import type { BlockedReason } from '../../domain/payouts/payout.ts';
import type { PayoutOrder, RailAnswer } from '../../domain/payouts/payout-rail.ts';
import { fail } from '../../foundation/result.ts';
import { Secret } from '../../foundation/secret.ts';
import type { Unanswered } from './provider-http.ts';

export type Declined = Extract<RailAnswer, { kind: 'declined' }>;
/** The possible meanings of a provider's rejection of a payout. */
export type Refused = Extract<RailAnswer, { kind: 'declined' | 'not_accepted' | 'unknown' }>;
export type NotAccepted = Extract<RailAnswer, { kind: 'not_accepted' }>;
export type Unknown = Extract<RailAnswer, { kind: 'unknown' }>;

export interface Reason {
  readonly blockedReason: BlockedReason;
  readonly meaning: string;
}

export function declined(blockedReason: BlockedReason, reason: string): Declined {
  return { kind: 'declined', blockedReason, reason };
}

export function notAccepted(reason: string): NotAccepted {
  return { kind: 'not_accepted', reason };
}

export function unknown(reason: string): Unknown {
  return { kind: 'unknown', reason };
}

/** Rejects a notification with a missing or unreadable part. `reason` names that part. */
export const malformed = (reason: string) => fail<NotificationFailure>({ kind: 'malformed', reason });

/** Maps a provider's reason to ours. The table lists the provider's reasons by ours, which is easier to read. */
export function declineReasonsOf(
  saidByReason: Readonly<Partial<Record<BlockedReason, readonly string[]>>>,
): ReadonlyMap<string, BlockedReason> {
  return new Map(
    Object.entries(saidByReason).flatMap(([ours, said]) => said.map((each) => [each, ours as BlockedReason])),
  );
}

/** Returns the result of a payout request without a response: not accepted if we never connected, otherwise unknown. */
export function unanswered({ kind, reason }: Unanswered): NotAccepted | Unknown {
  return kind === 'not_connected' ? notAccepted(reason) : unknown(reason);
}

/** Reveals a secret field, so use the text only in requests to the provider. Empty if the field is absent. */
export function beneficiaryField({ beneficiary }: Pick<PayoutOrder, 'beneficiary'>, name: string): string {
  const value = beneficiary[name] ?? '';
  return value instanceof Secret ? value.reveal() : value;
}
