/** Which transfers each business event posts. Every journal of the gateway is made here, and nowhere else. */
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

/** What a payout's journals need to know of it. Amounts in minor units. */
export interface PayoutPosting {
  /** Where its money comes from, and goes back to. */
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

function payoutJournal(payout: PayoutPosting, step: string, transfers: readonly Transfer[]): Journal {
  const { merchantId, payoutId, currency } = payout;
  return { merchantId, journalId: `payout/${payoutId}/${step}`, currency, transfers };
}

/** Sets amount and fee aside. The sandbox's money is made on the spot, so that its balance never runs out. */
export function reservePayout(payout: PayoutPosting): Journal {
  const { amount, fee, currency, source } = payout;
  return payoutJournal(payout, 'reserve', [
    ...(currency === 'TST' ? transfer('funding', 'operator_funding', source, amount + fee) : []),
    ...transfer('reserve', source, 'reserved', amount),
    ...transfer('reserve_fee', source, 'reserved', fee),
  ]);
}

/** The bank executed it: what was reserved leaves through the rail, the fee is earned. */
export function executePayout(payout: PayoutPosting): Journal {
  return payoutJournal(payout, 'execute', [
    ...transfer('payout', 'reserved', `clearing:${payout.rail}`, payout.amount),
    ...transfer('payout_fee', 'reserved', 'fees', payout.fee),
  ]);
}

/** The bank refused it, or it was cancelled: amount and fee go back, to what the merchant owes by now first. */
export function releasePayout(payout: PayoutPosting, balances: Balances): Journal {
  return payoutJournal(payout, 'release', [
    ...transfer('release', 'reserved', payout.source, payout.amount),
    ...transfer('release_fee', 'reserved', payout.source, payout.fee),
    ...repayFromSource(payout, balances, payout.amount + payout.fee),
  ]);
}

/** The bank sent an executed payout back: the merchant gets the amount again; the fee stays earned. */
export function reversePayout(payout: PayoutPosting, balances: Balances): Journal {
  return payoutJournal(payout, 'reversal', [
    ...transfer('reversal', `clearing:${payout.rail}`, payout.source, payout.amount),
    ...repayFromSource(payout, balances, payout.amount),
  ]);
}

/** The bank executed a payout that had ended as blocked: the merchant pays for it, with what is there and by owing the rest. */
export function executeLate(payout: PayoutPosting, balances: Balances): Journal {
  const { source, rail, amount } = payout;
  return payoutJournal(
    payout,
    'late-execution',
    payOrOwe('late_execution', source, `clearing:${rail}`, amount, balances),
  );
}

/** Available is debited to zero at most; the rest is owed (decisions, States and money: merchant owed). */
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

/** Money in suspense is nobody's yet, and pays nobody's debts. */
function repayFromSource({ source }: PayoutPosting, balances: Balances, credited: bigint): Transfer[] {
  return source === 'available' ? repayOwed(balances, credited) : [];
}

/** What the journals of incoming money need to know of a transfer. */
export interface ReceiptPosting {
  readonly rail: string;
  readonly transferKey: string;
  readonly money: Money;
}

function receiptJournal(
  merchantId: MerchantId,
  { rail, transferKey, money }: ReceiptPosting,
  step: string,
  transfers: readonly Transfer[],
): Journal {
  return { merchantId, journalId: `transfer/${rail}/${transferKey}/${step}`, currency: money.currency, transfers };
}

/** Money came in for a deposit: the merchant gets it less the fee; what they owe is paid from it first. */
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

/** Money came in that fits nothing: it waits in suspense. */
export function holdTransfer(merchantId: MerchantId, receipt: ReceiptPosting): Journal {
  return receiptJournal(merchantId, receipt, 'hold', [
    ...transfer('held', `clearing:${receipt.rail}`, 'suspense', receipt.money.minor),
  ]);
}

/** A credited transfer's deposit was displaced: the merchant gives it back, owing what is not there, and we the fee. */
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

/** Held money turned out to be another merchant's: it is as if it had never come for this one. */
export function giveUpHeld(merchantId: MerchantId, receipt: ReceiptPosting): Journal {
  return receiptJournal(merchantId, receipt, 'give-up', [
    ...transfer('given_up', 'suspense', `clearing:${receipt.rail}`, receipt.money.minor),
  ]);
}

/** The operator found whose held money it is: out of suspense, less the fee; what is owed is paid first. */
export function creditHeld(merchantId: MerchantId, receipt: ReceiptPosting, fee: bigint, balances: Balances): Journal {
  const net = receipt.money.minor - fee;
  return receiptJournal(merchantId, receipt, 'release', [
    ...transfer('held_credited', 'suspense', 'available', net),
    ...transfer('deposit_fee', 'suspense', 'fees', fee),
    ...repayOwed(balances, net),
  ]);
}

/** `rest`: what found nothing to be taken from at first. */
export type AdjustmentPart = 'first' | 'rest';

/** An adjustment of a payment after its result, and the money of it that one merchant has: input of the journals. */
export interface AdjustmentPosting {
  /** The merchant who has the money, which need not be the payment's. */
  readonly merchantId: MerchantId;
  /** The payment. */
  readonly transactionId: number;
  readonly attempt: number;
  readonly kind: string;
  readonly key: string;
  readonly rail: string;
  readonly currency: Currency;
  /** Minor units of what was credited to the merchant. */
  readonly credited: bigint;
  /** Minor units of what is held. */
  readonly held: bigint;
  readonly part: AdjustmentPart;
}

function adjustmentJournal(posting: AdjustmentPosting, transfers: readonly Transfer[]): Journal {
  const { merchantId, transactionId, attempt, kind, part, key, currency } = posting;
  const journalId = `adjustment/${transactionId}/${attempt}/${kind}/${part}/${key}`;
  return { merchantId, journalId, currency, transfers };
}

/**
 * A payment's money went back. What was held leaves suspense; for what was credited the merchant pays, with what is there
 * and by owing the rest. The fee stays earned.
 */
export function takeBack(posting: AdjustmentPosting, balances: Balances): Journal {
  const { rail, credited, held } = posting;
  return adjustmentJournal(posting, [
    ...transfer('taken_back', 'suspense', `clearing:${rail}`, held),
    ...payOrOwe('taken_back', 'available', `clearing:${rail}`, credited, balances),
  ]);
}

/** Money that had gone back came again: into suspense for a held receipt, else to the merchant, whose debt it pays first. */
export function giveAgain(posting: AdjustmentPosting, balances: Balances): Journal {
  const { rail, credited, held } = posting;
  return adjustmentJournal(posting, [
    ...transfer('given_again', `clearing:${rail}`, 'suspense', held),
    ...transfer('given_again', `clearing:${rail}`, 'available', credited),
    ...repayOwed(balances, credited),
  ]);
}

export interface FundingOrder {
  readonly merchantId: MerchantId;
  readonly currency: Currency;
  /** Minor units. */
  readonly amount: bigint;
  /** The operator's own unique text: the same reference posts once. */
  readonly reference: string;
}

/** Money that the operator credits; what the merchant owes is paid from it first. */
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

/** Money that the operator takes back. Whether it is there is the ledger's own check. */
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
