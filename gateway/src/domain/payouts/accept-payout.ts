/**
 * The command behind payout_send: it accepts one payout once. The order of the checks follows decision 8. A known id gets the
 * response of the existing payout, even if the request would now fail another check.
 */

import { type Clock, HOUR_MS } from '../../foundation/clock.ts';
import { formatAmount, type Money } from '../../foundation/money.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { Secret } from '../../foundation/secret.ts';
import type { WithParts } from '../../foundation/with-parts.ts';
import { reservePayout } from '../ledger/journals.ts';
import type { Journal, PostedTransfer } from '../ledger/transfer.ts';
import { feeOf } from '../merchants/fees.ts';
import type { Merchant } from '../merchants/merchant.ts';
import type { SecretFields, Vault } from '../vault/vault.ts';
import type { HistoryReason } from './history-reason.ts';
import { type MerchantPayout, type Payout, postingOf } from './payout.ts';
import type { PayoutRejection } from './payout-rejection.ts';
import { sealOf } from './payout-seal.ts';
import type { NewPayout, PayoutMaker, PayoutStore } from './payout-store.ts';
import type { RailChoice } from './rail-choice/rail-choice.ts';

/** The request, authenticated and parsed. */
export interface PayoutSubmission {
  readonly merchant: Merchant;
  readonly payoutId: string;
  /** The request's known fields, normalised and joined: equal text means equal content. Contains the card number. */
  readonly content: Secret;
  /** The requested payout, or the first field with an invalid format. */
  readonly draft: Result<PayoutDraft, PayoutRejection>;
  /** Undefined if the merchant's server signed the request. */
  readonly origin?: PayoutOrigin;
}

/** The origin of a payout that a user or a token created. */
export interface PayoutOrigin {
  readonly maker: PayoutMaker;
  /** Returns true if a policy requires a second person because of the reserved amount. */
  readonly needsSecondPerson: (posted: readonly PostedTransfer[]) => boolean;
}

export interface PayoutDraft {
  readonly method: number;
  readonly money: Money;
  readonly amountText: string;
  readonly accountShown: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly secretFields: SecretFields;
}

export interface AcceptPayoutParts {
  readonly store: PayoutStore;
  readonly vault: Vault;
  readonly chooseRail: RailChoice['choose'];
  readonly clock: Clock;
  /** If false, the caller does not wait for a final state. */
  readonly waitsInReply?: boolean;
  /** Called after the commit of a payout, so that a worker in this process need not wait for its next round. */
  readonly onAccepted: (payout: MerchantPayout) => void;
}

const SANDBOX_METHOD = 70;
/** The longest time that a request with the sandbox's method waits for the final state (decision 15). */
const SANDBOX_REPLY_WAIT_MS = 2_000;

/** Evaluates a payout as its acceptance would, apart from its balance and its id, and stores nothing. */
export function judgePayout(parts: AcceptPayoutParts, submission: PayoutSubmission) {
  return prepare(parts, submission, parts.vault.fingerprint(submission.content));
}

export type AcceptPayout = WithParts<typeof acceptPayout>;

export async function acceptPayout(
  parts: AcceptPayoutParts,
  submission: PayoutSubmission,
): Promise<Result<Payout, PayoutRejection>> {
  const contentHash = parts.vault.fingerprint(submission.content);
  const prepared = await prepare(parts, submission, contentHash);
  if (!prepared.ok) return answerFromExisting(parts.store, submission, contentHash, prepared.error);

  const outcome = await parts.store.accept(prepared.value);
  if (outcome.kind === 'insufficient_funds') return fail({ kind: 'insufficient_funds' });
  if (outcome.kind === 'exists') {
    const answer = answerRepeated(outcome.payout, contentHash);
    return answer.ok ? ok(await waitInReply(parts, submission.merchant, answer.value)) : answer;
  }
  const { payout } = prepared.value;
  if (prepared.value.approval) return ok(payout);
  parts.onAccepted(payout);
  return ok(await waitInReply(parts, submission.merchant, payout));
}

/** A repeated request waits like the first, so that concurrent copies get the same response. */
async function waitInReply(
  { store, waitsInReply = true }: AcceptPayoutParts,
  { settings }: Merchant,
  payout: Payout,
): Promise<Payout> {
  if (!waitsInReply) return payout;
  const waitMs = settings.reply_wait_ms ?? (payout.method === SANDBOX_METHOD ? SANDBOX_REPLY_WAIT_MS : 0);
  return payout.state === 'pending' && waitMs > 0 ? store.waitUntilFinal(payout, waitMs) : payout;
}

export interface NewMerchantPayout extends NewPayout {
  readonly payout: MerchantPayout;
}

/** The checks after the formats: the merchant's state, the method, the limits. The commit checks the balance. */
async function prepare(
  parts: AcceptPayoutParts,
  submission: PayoutSubmission,
  contentHash: Buffer,
): Promise<Result<NewMerchantPayout, PayoutRejection>> {
  const { merchant, payoutId } = submission;
  if (merchant.state === 'suspended') return fail({ kind: 'merchant_disabled' });
  if (!submission.draft.ok) return submission.draft;
  const draft = submission.draft.value;
  const { method, money, amountText, accountShown, fields } = draft;
  const routed = { method, money, beneficiary: { accountShown, fields, vaultToken: null }, contentHash };
  const chosen = await parts.chooseRail(merchant, routed);
  if (!chosen.ok) return chosen;
  if (!withinLimits(merchant, draft)) return fail({ kind: 'amount_out_of_limits' });

  const transactionId = await parts.store.nextTransactionId();
  const acceptedAt = parts.clock.now();
  const hasSecrets = Object.keys(draft.secretFields).length > 0;
  const vaultRecord = hasSecrets ? parts.vault.sealFields(merchant.merchantId, acceptedAt, draft.secretFields) : null;
  const payout: MerchantPayout = {
    ...routed,
    purpose: 'payout',
    merchantId: merchant.merchantId,
    payoutId,
    transactionId,
    amountText,
    fee: feeOf(merchant, draft.method, draft.money),
    rail: chosen.value.rail,
    beneficiary: { ...routed.beneficiary, vaultToken: vaultRecord?.token ?? null },
    state: 'pending',
    blockedReason: null,
    acceptedAt,
    finishedAt: null,
  };
  const journal = reservePayout(postingOf(payout));
  const reason = thresholdOf(merchant, money) ?? policyOf(submission, journal);
  const by = acceptedAt + merchant.settings.approval_hours * HOUR_MS;
  return ok({
    payout,
    vaultRecord,
    journal,
    seal: sealOf(parts.vault, payout),
    why: chosen.value.why,
    ...(reason === undefined ? {} : { approval: { by, why: reason } }),
    ...(submission.origin && { maker: submission.origin.maker }),
  });
}

/** Returns why the merchant's settings require an approval, or undefined if they do not. */
function thresholdOf({ settings }: Merchant, { currency, minor }: Money): HistoryReason | undefined {
  const threshold = settings.perCurrency('approval_above', currency);
  if (threshold === undefined || minor <= threshold) return undefined;
  return ['above', `${formatAmount({ currency, minor: threshold })} ${currency}`];
}

function policyOf(
  { origin }: PayoutSubmission,
  { merchantId, currency, transfers }: Journal,
): HistoryReason | undefined {
  const posted = transfers.map((transfer) => ({ ...transfer, merchantId, currency }));
  return origin?.needsSecondPerson(posted) ? ['policy'] : undefined;
}

function withinLimits(merchant: Merchant, { method, money }: PayoutDraft): boolean {
  const lowest = merchant.settings.perMethod('min_amount', method, money.currency);
  const highest = merchant.settings.perMethod('max_amount', method, money.currency);
  return (lowest === undefined || money.minor >= lowest) && (highest === undefined || money.minor <= highest);
}

async function answerFromExisting(
  store: PayoutStore,
  { merchant, payoutId }: PayoutSubmission,
  contentHash: Buffer,
  rejection: PayoutRejection,
): Promise<Result<Payout, PayoutRejection>> {
  const existing = await store.find({ merchantId: merchant.merchantId, payoutId });
  return existing ? answerRepeated(existing, contentHash) : fail(rejection);
}

function answerRepeated(existing: Payout, contentHash: Buffer): Result<Payout, PayoutRejection> {
  return existing.contentHash.equals(contentHash) ? ok(existing) : fail({ kind: 'payout_id_already_used' });
}
