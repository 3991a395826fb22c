/**
 * Refunds a form payment, or a part of it, through the rail of the payment, on the operator's order. A refund is one of the
 * gateway's own payouts, from the merchant's available money. The gateway sends it once and queries the provider if it does
 * not respond. A decline releases the money.
 */

import type { Clock } from '../../../foundation/clock.ts';
import { formatAmount, type Money, parseAmount } from '../../../foundation/money.ts';
import { fail, ok, type Result } from '../../../foundation/result.ts';
import { type ActWords, wordsFault } from '../../audit/act-words.ts';
import { type DepositKey, isDisplaced } from '../../deposits/deposit.ts';
import { reservePayout } from '../../ledger/journals.ts';
import { balanceOf } from '../../ledger/transfer.ts';
import { type Payout, postingOf } from '../../payouts/payout.ts';
import { sealOf } from '../../payouts/payout-seal.ts';
import type { Vault } from '../../vault/vault.ts';
import { type PaymentAttempt, receiptsOf } from '../attempts/payment-attempt.ts';
import type { PaymentRail } from '../payment-rail.ts';
import type {
  AdjustmentStore,
  RefundableReceipt,
  RefundFacts,
  RefundPlan,
  RefundRejection,
} from './adjustment-store.ts';

export interface RefundCommand extends DepositKey, ActWords {
  /** The amount as the operator wrote it, in the deposit's currency. If null, the gateway refunds the full remaining amount. */
  readonly amount: string | null;
  /** The same for each repeat of one action: the refund is ordered once. If undefined, each order is a new refund. */
  readonly act?: string;
}

export interface RefundDepositParts {
  readonly store: Pick<AdjustmentStore, 'refund'>;
  readonly nextTransactionId: () => Promise<number>;
  readonly rails: readonly Pick<PaymentRail, 'name' | 'refund'>[];
  readonly vault: Pick<Vault, 'fingerprint'>;
  readonly clock: Clock;
}

/** Resolves to the payout that returns the money to the payer. */
export async function refundDeposit(
  parts: RefundDepositParts,
  { merchantId, transactionId, amount, reason, by = 'operator', act }: RefundCommand,
): Promise<Result<Payout, RefundRejection>> {
  const fault = wordsFault({ reason, by });
  if (fault) return fail(fault);
  const refundTransactionId = await parts.nextTransactionId();
  const at = parts.clock.now();
  return parts.store.refund({
    merchantId,
    transactionId,
    act: act ?? null,
    plan: (facts) => planRefund(facts, { amount, reason, by, refundTransactionId, at, ...parts }),
  });
}

interface Wanted extends Required<Pick<RefundCommand, 'amount' | 'reason' | 'by'>> {
  readonly refundTransactionId: number;
  readonly at: number;
  readonly rails: RefundDepositParts['rails'];
  readonly vault: RefundDepositParts['vault'];
}

function planRefund(facts: RefundFacts, wanted: Wanted): Result<RefundPlan, RefundRejection> {
  const able = refundableOf(facts, wanted.rails);
  if (!able.ok) return able;
  const chosen = chooseReceipt(facts, able.value, wanted.amount);
  if (!chosen.ok) return chosen;
  const { receipt, money } = chosen.value;
  const shortage = shortageOf(facts, money);
  if (shortage) return fail(shortage);
  const payout = payoutOf(facts, receipt, money, wanted);
  const { reason, by, at } = wanted;
  const detail = `${payout.payoutId}: ${formatAmount(money)} ${money.currency}; ${reason}`;
  return ok({
    attempt: receipt.attempt.attempt,
    transferKey: receipt.transferKey,
    payout: {
      payout,
      vaultRecord: null,
      seal: sealOf(wanted.vault, payout),
      journal: reservePayout(postingOf(payout)),
      by,
      why: [['rail_of_payment']],
    },
    reason,
    note: { at, event: 'refund_requested', actor: by, detail },
  });
}

/** The obstacle to every refund of a deposit, at any amount. */
export type RefundObstacle = Extract<
  RefundRejection,
  { readonly kind: 'displaced' | 'moved' | 'not_paid' | 'rail_refunds_nothing' | 'nothing_left' }
>;

/** Returns the receipts of the deposit that a rail can refund. */
function refundableOf(
  { deposit, receipts, movedTo }: Omit<RefundFacts, 'balances'>,
  rails: RefundDepositParts['rails'],
): Result<readonly Refundable[], RefundObstacle> {
  if (receipts.length === 0 && !movedTo && isDisplaced(deposit)) return fail({ kind: 'displaced' });
  // A failed deposit can still have a late payment that was credited.
  if (receipts.length === 0 && movedTo) return fail({ kind: 'moved', ...movedTo });
  if (receipts.length === 0 && deposit.state !== 'success') return fail({ kind: 'not_paid', state: deposit.state });
  const able = receipts.flatMap((receipt) => paidBack(receipt, rails));
  return able.length > 0 ? ok(able) : fail({ kind: 'rail_refunds_nothing', rail: receipts[0]?.rail ?? deposit.rail });
}

/** Returns the obstacle to any refund of the deposit. The order itself decides again, under the lock, with the balance. */
export function againstRefund(
  facts: Omit<RefundFacts, 'balances'>,
  rails: RefundDepositParts['rails'],
): RefundObstacle | null {
  const able = refundableOf(facts, rails);
  if (!able.ok) return able.error;
  return able.value.some(({ left }) => left > 0n) ? null : { kind: 'nothing_left' };
}

/** A merchant with a debt pays nothing out, whatever is available (decision 31). */
function shortageOf({ balances }: RefundFacts, { currency, minor }: Money): RefundRejection | undefined {
  const available = { currency, minor: balanceOf(balances, 'available') };
  const owed = { currency, minor: -balanceOf(balances, 'owed') };
  return owed.minor > 0n || available.minor < minor ? { kind: 'insufficient_funds', available, owed } : undefined;
}

/** A receipt that a rail can refund. */
type Refundable = RefundableReceipt & { readonly attempt: PaymentAttempt };

function paidBack(receipt: RefundableReceipt, rails: RefundDepositParts['rails']): Refundable[] {
  const { attempt } = receipt;
  const isAble = rails.some(({ name, refund }) => name === receipt.rail && refund !== undefined);
  return attempt && isAble ? [{ ...receipt, attempt }] : [];
}

/** Returns the oldest receipt with enough remaining money: a refund returns one receipt or a part of it. */
function chooseReceipt(
  { deposit }: RefundFacts,
  receipts: readonly Refundable[],
  amount: string | null,
): Result<{ readonly receipt: Refundable; readonly money: Money }, RefundRejection> {
  const { currency } = deposit.money;
  const asked = amount === null ? null : parseAmount(amount, currency);
  if (asked === undefined) return fail({ kind: 'invalid_amount' });
  const most = receipts.reduce((highest, { left }) => (left > highest ? left : highest), 0n);
  if (most === 0n) return fail({ kind: 'nothing_left' });
  const receipt = receipts.find(({ left }) => left >= (asked?.minor ?? 1n));
  if (!receipt) return fail({ kind: 'more_than_left', left: { currency, minor: most } });
  return ok({ receipt, money: asked ?? { currency, minor: receipt.left } });
}

/**
 * The id contains the receipt and the number of the refund. A refund that is ordered again after a restore therefore gets the
 * same id, and so the reference that its provider knows. No merchant's payout_id contains a colon, so the two never collide.
 */
function payoutOf(
  { deposit }: RefundFacts,
  { attempt, transferKey, refunds }: Refundable,
  money: Money,
  { refundTransactionId, reason, at }: Wanted,
): Payout {
  return {
    merchantId: deposit.merchantId,
    payoutId: `refund:${transferKey}:${refunds + 1}`,
    transactionId: refundTransactionId,
    purpose: 'refund',
    method: null,
    money,
    amountText: formatAmount(money),
    fee: 0n,
    rail: attempt.rail,
    beneficiary: {
      accountShown: '',
      fields: {
        order: deposit.orderId,
        transaction_id: String(deposit.transactionId),
        status: deposit.state,
        payment: attempt.reference,
        provider_payment: attempt.providerReference,
        receipt: receiptsOf(attempt).find((each) => each.transferKey === transferKey)?.receiptKey ?? '',
        reason,
      },
      vaultToken: null,
    },
    contentHash: Buffer.alloc(0),
    state: 'pending',
    blockedReason: null,
    acceptedAt: at,
    finishedAt: null,
  };
}
