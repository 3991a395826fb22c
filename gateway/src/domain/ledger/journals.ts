/** Builds the transfers that each business event posts. No other file builds a journal. */
import type { Currency } from '../../foundation/currency.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Money } from '../../foundation/money.ts';
import {
  type AccountName,
  type Balances,
  balanceOf,
  type Journal,
  type Transfer,
  type TransferKind,
} from './transfer.ts';

/** The facts on which a payout's journals depend. Amounts are in minor units. */
export interface PayoutPosting {
  /** The account from which its money comes, and to which it returns. */
  readonly source: 'available' | 'suspense';
  readonly merchantId: MerchantId;
  readonly payoutId: string;
  readonly currency: Currency;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly rail: string;
}

function transfer(kind: TransferKind, debit: AccountName, credit: AccountName, amount: bigint): Transfer[] {
  return amount > 0n ? [{ kind, debit, credit, amount }] : [];
}

/** The steps of a payout that post a journal, in order. */
const PAYOUT_STEPS = ['reserve', 'execute', 'release', 'reversal', 'late-execution'] as const;

/** Returns the ids of every journal that a payout can have. */
export function journalIdsOfPayout(payoutId: string): string[] {
  return PAYOUT_STEPS.map((step) => `payout/${payoutId}/${step}`);
}

function payoutJournal(
  payout: PayoutPosting,
  step: (typeof PAYOUT_STEPS)[number],
  transfers: readonly Transfer[],
): Journal {
  const { merchantId, payoutId, currency } = payout;
  return { merchantId, journalId: `payout/${payoutId}/${step}`, currency, transfers };
}

/** Reserves amount and fee. A payout in the sandbox creates its money, so that a sandbox balance never runs out. */
export function reservePayout(payout: PayoutPosting): Journal {
  const { amount, fee, currency, source } = payout;
  return payoutJournal(payout, 'reserve', [
    ...(currency === 'TST' ? transfer('funding', 'operator_funding', source, amount + fee) : []),
    ...transfer('reserve', source, 'reserved', amount),
    ...transfer('reserve_fee', source, 'reserved', fee),
  ]);
}

/** The bank executed the payout: the reserved amount leaves through the rail, and the fee is earned. */
export function executePayout(payout: PayoutPosting): Journal {
  return payoutJournal(payout, 'execute', [
    ...transfer('payout', 'reserved', `clearing:${payout.rail}`, payout.amount),
    ...transfer('payout_fee', 'reserved', 'fees', payout.fee),
  ]);
}

/** The payout was blocked: amount and fee are released, first to the merchant's debt. */
export function releasePayout(payout: PayoutPosting, balances: Balances): Journal {
  return payoutJournal(payout, 'release', [
    ...transfer('release', 'reserved', payout.source, payout.amount),
    ...transfer('release_fee', 'reserved', payout.source, payout.fee),
    ...repayFromSource(payout, balances, payout.amount + payout.fee),
  ]);
}

/** The bank returned an executed payout: the merchant gets the amount back, and the fee stays earned. */
export function reversePayout(payout: PayoutPosting, balances: Balances): Journal {
  return payoutJournal(payout, 'reversal', [
    ...transfer('reversal', `clearing:${payout.rail}`, payout.source, payout.amount),
    ...repayFromSource(payout, balances, payout.amount),
  ]);
}

/** The bank executed a blocked payout: the merchant pays from the available money and owes the rest. */
export function executeLate(payout: PayoutPosting, balances: Balances): Journal {
  const { source, rail, amount } = payout;
  return payoutJournal(
    payout,
    'late-execution',
    payOrOwe('late_execution', source, `clearing:${rail}`, amount, balances),
  );
}

/** Debits available down to zero, and adds the rest to the debt (decision 31). */
function payOrOwe(
  kind: TransferKind,
  source: AccountName,
  target: AccountName,
  amount: bigint,
  balances: Balances,
): Transfer[] {
  const there = balanceOf(balances, source);
  const paid = there < amount ? there : amount;
  return [...transfer(kind, source, target, paid), ...transfer('owed', 'owed', target, amount - paid)];
}

/** Money in suspense belongs to no merchant yet, so it pays no debt. */
function repayFromSource({ source }: PayoutPosting, balances: Balances, credited: bigint): Transfer[] {
  return source === 'available' ? repayOwed(balances, credited) : [];
}

/** The facts on which the journals of incoming money depend. */
interface ReceiptPosting {
  readonly rail: string;
  readonly transferKey: string;
  readonly money: Money;
}

const RECEIPT_STEPS = ['credit', 'hold', 'displace', 'give-up', 'release'] as const;
type ReceiptKey = Pick<ReceiptPosting, 'rail' | 'transferKey'>;

/** Returns the ids of every journal that incoming money can have, without its adjustments. */
export function journalIdsOfReceipt({ rail, transferKey }: ReceiptKey): string[] {
  return RECEIPT_STEPS.map((step) => `transfer/${rail}/${transferKey}/${step}`);
}

function receiptJournal(
  merchantId: MerchantId,
  { rail, transferKey, money }: ReceiptPosting,
  step: (typeof RECEIPT_STEPS)[number],
  transfers: readonly Transfer[],
): Journal {
  return { merchantId, journalId: `transfer/${rail}/${transferKey}/${step}`, currency: money.currency, transfers };
}

/** Credits a deposit's money: the merchant gets it minus the fee, and their debt is paid first. */
export function creditDeposit(
  merchantId: MerchantId,
  receipt: ReceiptPosting,
  fee: bigint,
  balances: Balances,
): Journal {
  const source: AccountName = `clearing:${receipt.rail}`;
  const net = receipt.money.minor - fee;
  return receiptJournal(merchantId, receipt, 'credit', [
    ...transfer('deposit', source, 'available', net),
    ...transfer('deposit_fee', source, 'fees', fee),
    ...repayOwed(balances, net),
  ]);
}

/** Holds an incoming transfer in suspense. */
export function holdTransfer(merchantId: MerchantId, receipt: ReceiptPosting): Journal {
  return receiptJournal(merchantId, receipt, 'hold', [
    ...transfer('held', `clearing:${receipt.rail}`, 'suspense', receipt.money.minor),
  ]);
}

/**
 * Holds a credited transfer of a displaced deposit: the merchant returns the money, or owes it, and the gateway returns the
 * fee.
 */
export function holdCredited(
  merchantId: MerchantId,
  receipt: ReceiptPosting,
  fee: bigint,
  balances: Balances,
): Journal {
  return receiptJournal(merchantId, receipt, 'displace', [
    ...payOrOwe('displaced', 'available', 'suspense', receipt.money.minor - fee, balances),
    ...transfer('fee_returned', 'fees', 'suspense', fee),
  ]);
}

/** Held money belongs to another merchant: this posting cancels the first. */
export function giveUpHeld(merchantId: MerchantId, receipt: ReceiptPosting): Journal {
  return receiptJournal(merchantId, receipt, 'give-up', [
    ...transfer('given_up', 'suspense', `clearing:${receipt.rail}`, receipt.money.minor),
  ]);
}

/** The operator credits held money to its merchant: from suspense, minus the fee, first to the merchant's debt. */
export function creditHeld(merchantId: MerchantId, receipt: ReceiptPosting, fee: bigint, balances: Balances): Journal {
  const net = receipt.money.minor - fee;
  return receiptJournal(merchantId, receipt, 'release', [
    ...transfer('held_credited', 'suspense', 'available', net),
    ...transfer('deposit_fee', 'suspense', 'fees', fee),
    ...repayOwed(balances, net),
  ]);
}

const ADJUSTMENT_PARTS = ['first', 'rest'] as const;
/** `rest` is the part that could not be posted at first. */
export type AdjustmentPart = (typeof ADJUSTMENT_PARTS)[number];
type AdjustmentId = Pick<AdjustmentPosting, 'transactionId' | 'attempt' | 'kind' | 'key'>;

/** Returns the ids of every journal that an adjustment can have. */
export function journalIdsOfAdjustment({ transactionId, attempt, kind, key }: AdjustmentId): string[] {
  return ADJUSTMENT_PARTS.map((part) => `adjustment/${transactionId}/${attempt}/${kind}/${part}/${key}`);
}

/** An adjustment of a payment after its result, and the part of its money that one merchant has. */
interface AdjustmentPosting {
  /** The merchant that has the money, which need not be the payment's merchant. */
  readonly merchantId: MerchantId;
  /** The payment's transaction. */
  readonly transactionId: number;
  readonly attempt: number;
  readonly kind: string;
  readonly key: string;
  readonly rail: string;
  readonly currency: Currency;
  /** The credited part, in minor units. */
  readonly credited: bigint;
  /** The held part, in minor units. */
  readonly held: bigint;
  readonly part: AdjustmentPart;
}

function adjustmentJournal(posting: AdjustmentPosting, transfers: readonly Transfer[]): Journal {
  const { merchantId, transactionId, attempt, kind, part, key, currency } = posting;
  const journalId = `adjustment/${transactionId}/${attempt}/${kind}/${part}/${key}`;
  return { merchantId, journalId, currency, transfers };
}

/**
 * The provider took back a payment's money. The held part leaves suspense. The merchant pays the credited part from the
 * available money and owes the rest. The fee stays earned.
 */
export function takeBack(posting: AdjustmentPosting, balances: Balances): Journal {
  const { rail, credited, held } = posting;
  return adjustmentJournal(posting, [
    ...transfer('taken_back', 'suspense', `clearing:${rail}`, held),
    ...payOrOwe('taken_back', 'available', `clearing:${rail}`, credited, balances),
  ]);
}

/** Reverses a take-back: the held part returns to suspense, the rest to the merchant, paying off debt first. */
export function giveAgain(posting: AdjustmentPosting, balances: Balances): Journal {
  const { rail, credited, held } = posting;
  return adjustmentJournal(posting, [
    ...transfer('given_again', `clearing:${rail}`, 'suspense', held),
    ...transfer('given_again', `clearing:${rail}`, 'available', credited),
    ...repayOwed(balances, credited),
  ]);
}

interface FundingOrder {
  readonly merchantId: MerchantId;
  readonly currency: Currency;
  /** The amount in minor units. */
  readonly amount: bigint;
  /** The operator's unique reference. The same reference posts once. */
  readonly reference: string;
}

/** Posts the operator's credit. It pays the merchant's debt first. */
export function fundMerchant(order: FundingOrder, balances: Balances): Journal {
  return {
    merchantId: order.merchantId,
    journalId: `funding/${order.reference}`,
    currency: order.currency,
    transfers: [
      ...transfer('funding', 'operator_funding', 'available', order.amount),
      ...repayOwed(balances, order.amount),
    ],
  };
}

/** Posts the operator's debit. The ledger itself checks that the money is available. */
export function withdrawFunding(order: FundingOrder): Journal {
  return {
    merchantId: order.merchantId,
    journalId: `funding/${order.reference}`,
    currency: order.currency,
    transfers: transfer('withdrawal', 'available', 'operator_funding', order.amount),
  };
}

function repayOwed(balances: Balances, credited: bigint): Transfer[] {
  const owed = -balanceOf(balances, 'owed');
  return transfer('owed_repaid', 'available', 'owed', owed < credited ? owed : credited);
}
