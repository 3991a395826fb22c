/**
 * The commands behind a payout that a user or a program creates without a signature: create it, or check it first. Both
 * evaluate it like payout_send.
 */
import { type Clock, DAY_MS, type Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';
import { type Balances, balanceOf } from '../ledger/transfer.ts';
import type { Merchant } from '../merchants/merchant.ts';
import type { MerchantDirectory } from '../merchants/merchant-directory.ts';
import {
  type AcceptPayout,
  type AcceptPayoutParts,
  judgePayout,
  type NewMerchantPayout,
  type PayoutOrigin,
  type PayoutSubmission,
} from './accept-payout.ts';
import type { Payout } from './payout.ts';
import type { PayoutRecordStore } from './payout-record-store.ts';
import type { PayoutRejection } from './payout-rejection.ts';
import type { EarlierPayouts } from './payout-store.ts';

/** A payout requested by a user, a program or a row of a file, as strings. */
export interface RequestedPayout {
  readonly payoutId: string;
  readonly method: number;
  /** The fields by their API names, with `amount` and `currency`. May contain a card number. */
  readonly fields: Readonly<Record<string, string>>;
}

export type ReadRequestedPayout = (merchant: Merchant, requested: RequestedPayout, now: Instant) => RequestReading;

/** A requested payout, parsed by the table of its method. */
interface RequestReading {
  /** The missing or invalid fields, in the order of the table. */
  readonly faults: readonly string[];
  /** Fields that the method does not have. */
  readonly unknown: readonly string[];
  /** Undefined if a field is invalid. */
  readonly submission: PayoutSubmission | undefined;
}

export type RequestFailure =
  | { readonly kind: 'merchant_not_found' }
  | { readonly kind: 'faulty_fields'; readonly faults: readonly string[]; readonly unknown: readonly string[] }
  | PayoutRejection;

export interface CreatedPayout {
  readonly payout: Payout;
  /** True if it waits for a second person's approval. */
  readonly isAwaiting: boolean;
}

/** The response that the acceptance of the payout would now return. */
interface RequestCheck {
  /** Why the gateway would reject it. Null if it would accept it. */
  readonly failure: RequestFailure | null;
  /** Null if a field is invalid, or if no rail carries it. */
  readonly judged: NewMerchantPayout | null;
  /** The available balance after it, which may be below zero. Null if `judged` is null. */
  readonly availableAfter: bigint | null;
  /** A payout of the last day with the same content. Null if there is none. */
  readonly possibleDuplicateOf: string | null;
}

interface NewPayoutParts {
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  readonly read: ReadRequestedPayout;
  readonly payoutRecords: Pick<PayoutRecordStore, 'record'>;
  readonly acceptPayout: AcceptPayout;
  readonly judging: AcceptPayoutParts;
  readonly earlier: EarlierPayouts;
  readonly ledger: Pick<LedgerStore, 'allBalances'>;
  readonly clock: Clock;
}

/** The maximum age at which earlier payouts with the same content are shown. */
export const ALIKE_WITHIN_MS = DAY_MS;

export async function createPayout(
  parts: NewPayoutParts,
  merchantId: MerchantId,
  requested: RequestedPayout,
  origin: PayoutOrigin,
): Promise<Result<CreatedPayout, RequestFailure>> {
  const submission = await read(parts, merchantId, requested, origin);
  if (!submission.ok) return submission;
  const accepted = await parts.acceptPayout(submission.value);
  if (!accepted.ok) return accepted;
  const record = await parts.payoutRecords.record(accepted.value);
  return ok({ payout: accepted.value, isAwaiting: record?.job?.stage === 'awaiting_approval' });
}

export async function checkPayout(
  parts: NewPayoutParts,
  merchantId: MerchantId,
  requested: RequestedPayout,
  origin: PayoutOrigin,
): Promise<RequestCheck> {
  const submission = await read(parts, merchantId, requested, origin);
  if (!submission.ok)
    return { failure: submission.error, judged: null, availableAfter: null, possibleDuplicateOf: null };
  return checkSubmission(parts, submission.value);
}

async function read(
  parts: NewPayoutParts,
  merchantId: MerchantId,
  requested: RequestedPayout,
  origin: PayoutOrigin,
): Promise<Result<PayoutSubmission, RequestFailure>> {
  const found = await parts.merchants.find(merchantId);
  if (!found) return fail({ kind: 'merchant_not_found' });
  const { submission, faults, unknown } = parts.read(found.merchant, requested, parts.clock.now());
  return submission ? ok({ ...submission, origin }) : fail({ kind: 'faulty_fields', faults, unknown });
}

async function checkSubmission(parts: NewPayoutParts, submission: PayoutSubmission): Promise<RequestCheck> {
  const { judging, earlier, ledger, clock } = parts;
  const judged = await judgePayout(judging, submission);
  if (!judged.ok) return { failure: judged.error, judged: null, availableAfter: null, possibleDuplicateOf: null };
  const { payout } = judged.value;
  const { merchantId, money, contentHash } = payout;
  const existing = await judging.store.find(payout);
  const balances = (await ledger.allBalances(merchantId)).get(money.currency) ?? NO_BALANCES;
  const duplicates = await earlier.findSameContent({
    merchantId,
    currency: money.currency,
    since: clock.now() - ALIKE_WITHIN_MS,
    contentHashes: [contentHash],
  });
  const after = balanceOf(balances, 'available') - money.minor - payout.fee;
  const isShort = money.currency !== 'TST' && (after < 0n || balanceOf(balances, 'owed') < 0n);
  const failure = existing
    ? ({ kind: 'payout_id_already_used' } as const)
    : isShort
      ? ({ kind: 'insufficient_funds' } as const)
      : null;
  return {
    failure,
    judged: judged.value,
    availableAfter: money.currency === 'TST' ? balanceOf(balances, 'available') : after,
    possibleDuplicateOf: duplicates.get(contentHash.toString('hex')) ?? null,
  };
}

const NO_BALANCES: Balances = {};
