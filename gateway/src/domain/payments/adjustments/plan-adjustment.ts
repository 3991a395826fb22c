/**
 * Plans the effects of a provider's report after a payment's result. Pure. The plan takes the money from the payment's
 * receipts, wherever the operator has moved them. A held receipt pays from suspense, and a credited receipt from its merchant.
 * The receipts limit all refunds, chargebacks and debits, so that no more money leaves than arrived. An uncovered part moves
 * no money. It becomes a difference, and the gateway takes it once there is money (after a failed refund). A reversal returns
 * to each receipt the amount that was taken from it. A receipt that is being returned to its payer gets nothing: this is a
 * difference too, until that return fails. If the reversal is reported first, neither it nor the later report moves money.
 */
import type { Instant } from '../../../foundation/clock.ts';
import type { Currency } from '../../../foundation/currency.ts';
import type { MerchantId } from '../../../foundation/identifiers.ts';
import { invariant } from '../../../foundation/invariant.ts';
import { formatMoney, type Money } from '../../../foundation/money.ts';
import type { Deposit } from '../../deposits/deposit.ts';
import { type DepositAdjustment, REVERSALS } from '../../deposits/deposit-adjustment.ts';
import { type AdjustmentComposer, adjustmentEvent } from '../../deposits/deposit-callbacks.ts';
import { type AdjustmentPart, giveAgain, takeBack } from '../../ledger/journals.ts';
import type { Journal } from '../../ledger/transfer.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import type { LaterNews } from '../payment-rail.ts';
import type {
  AdjustmentFacts,
  AdjustmentPlan,
  DepositConsequence,
  ReceiptBalance,
  ReceiptTaking,
} from './adjustment-store.ts';

interface Measured {
  readonly money: Money;
  readonly takings: readonly ReceiptTaking[];
  /** The missing amount in minor units. */
  readonly short: bigint;
}

interface PlanningParts {
  /** The merchants of all deposits that have the payment's money. */
  readonly merchants: ReadonlyMap<MerchantId, Merchant>;
  readonly compose: AdjustmentComposer;
  readonly at: Instant;
  /** The source of the report. */
  readonly actor: string;
}

export function planAdjustment(facts: AdjustmentFacts, news: LaterNews, parts: PlanningParts): AdjustmentPlan {
  const { kind, key, detail, receiptKey = null } = news;
  const { money, takings, short } = REVERSALS.has(kind) ? measureReversal(facts, news) : measureTaking(facts, news);
  const { transactionId, attempt } = facts.attempt;
  const posted = sumOf(takings);
  const adjustment = { transactionId, attempt, kind, key, money, posted, receiptKey, at: parts.at, detail };
  return { ...consequencesOf(facts, adjustment, takings, 'first', parts), short };
}

/** Moves the missing part once all of it can move. Returns undefined until then. */
export function planRest(
  facts: AdjustmentFacts & { readonly adjustment: DepositAdjustment },
  parts: PlanningParts,
): AdjustmentPlan | undefined {
  const { adjustment } = facts;
  const rest = restOf(adjustment, facts.counterpart);
  const takings = REVERSALS.has(adjustment.kind)
    ? shareReversed(facts, adjustment.money.currency, rest)
    : share(comparable(facts, adjustment.money.currency, adjustment.receiptKey), rest, ({ left }) => left);
  if (rest === 0n || sumOf(takings) < rest) return undefined;
  const moved = { ...adjustment, posted: adjustment.posted + rest };
  return { ...consequencesOf(facts, moved, takings, 'rest', parts), short: 0n };
}

type Reported = Pick<DepositAdjustment, 'kind' | 'money' | 'posted'>;

/**
 * Returns the minor units of a report that should have moved and did not. For a refund, chargeback or debit, that is the part
 * neither moved nor reversed; for a reversal, the part that its adjustment took and that was not returned.
 */
export function restOf(report: Reported, counterpart: DepositAdjustment | undefined): bigint {
  const { kind, money, posted } = report;
  const other = inCurrency(counterpart, money.currency);
  const [reported, moved] = [other?.money.minor ?? 0n, other?.posted ?? 0n];
  if (REVERSALS.has(kind)) return atLeastZero(moved - atLeastZero(reported - money.minor) - posted);
  return atLeastZero(money.minor - reported - (posted - moved));
}

function measureTaking(facts: AdjustmentFacts, news: LaterNews): Measured {
  const { receiptKey = null } = news;
  const money = news.money ?? allLeft(facts, receiptKey);
  const reversal = inCurrency(facts.counterpart, money.currency);
  const wanted = atLeastZero(money.minor - (reversal?.money.minor ?? 0n));
  const takings = share(comparable(facts, money.currency, receiptKey), wanted, ({ left }) => left);
  return { money, takings, short: wanted - sumOf(takings) };
}

function measureReversal(facts: AdjustmentFacts, { kind, money: reported, receiptKey }: LaterNews): Measured {
  const { counterpart } = facts;
  const money = reported ?? counterpart?.money ?? allLeft(facts, receiptKey ?? null);
  const taking = inCurrency(counterpart, money.currency);
  const wanted = restOf({ kind, money, posted: 0n }, counterpart);
  const takings = shareReversed(facts, money.currency, wanted);
  const unplaced = wanted - sumOf(takings);
  return { money, takings, short: atLeastZero(money.minor - (taking?.money.minor ?? 0n)) + unplaced };
}

/** Each receipt gets at most the amount that was taken from it. A receipt that has left the gateway since gets nothing. */
function shareReversed(facts: AdjustmentFacts, currency: Currency, wanted: bigint): ReceiptTaking[] {
  return share(comparable(facts, currency, null), wanted, ({ transferKey }) => facts.taken.get(transferKey) ?? 0n);
}

/** A report in a different currency explains no part of this one. */
function inCurrency(counterpart: DepositAdjustment | undefined, currency: Currency): DepositAdjustment | undefined {
  return counterpart?.money.currency === currency ? counterpart : undefined;
}

/**
 * Returns the receipts in the amount's currency, or none if the counterpart has a different currency: such a report has no
 * automatic effect.
 */
function comparable(
  { receipts, counterpart }: Pick<AdjustmentFacts, 'receipts' | 'counterpart'>,
  currency: Currency,
  receiptKey: string | null,
): readonly ReceiptBalance[] {
  if (counterpart && counterpart.money.currency !== currency) return [];
  return receipts.filter(
    (each) => each.currency === currency && (receiptKey === null || each.receiptKey === receiptKey),
  );
}

/** Divides an amount among the receipts in order. Each gets at most `most`. */
function share(
  receipts: readonly ReceiptBalance[],
  wanted: bigint,
  most: (receipt: ReceiptBalance) => bigint,
): ReceiptTaking[] {
  const takings: ReceiptTaking[] = [];
  for (const receipt of receipts) {
    const amount = lower(wanted - sumOf(takings), most(receipt));
    if (amount > 0n && receipt.account !== null) takings.push({ receipt, account: receipt.account, amount });
  }
  return takings;
}

/** Returns the amount of a report that states none: all remaining money of its receipt, or otherwise of the payment. */
function allLeft({ deposit, receipts }: AdjustmentFacts, receiptKey: string | null): Money {
  const named = receipts.filter((each) => receiptKey === null || each.receiptKey === receiptKey);
  const currency = named[0]?.currency ?? deposit.money.currency;
  const same = named.filter((each) => each.currency === currency);
  const left = same.reduce((sum, each) => sum + each.left, 0n);
  const brought = same.reduce((sum, each) => sum + each.brought, 0n);
  return { currency, minor: left || brought || deposit.money.minor };
}

type Consequences = Omit<AdjustmentPlan, 'short'>;

function consequencesOf(
  facts: AdjustmentFacts,
  adjustment: DepositAdjustment,
  takings: readonly ReceiptTaking[],
  part: AdjustmentPart,
  parts: PlanningParts,
): Consequences {
  const deposits = new Map(
    [facts.deposit, ...takings.map(({ receipt }) => receipt.deposit)].map((each) => [each.transactionId, each]),
  );
  const posted = new Set<MerchantId>();
  const consequences = Array.from(deposits.values(), (deposit): DepositConsequence => {
    const { merchantId, transactionId } = deposit;
    const isFirst = !posted.has(merchantId);
    posted.add(merchantId);
    const journals = isFirst ? journalOf(facts, merchantId, adjustment, takings, part) : [];
    return {
      key: { merchantId, transactionId },
      plan: planFor(facts, deposit, adjustment, takings, journals, part, parts),
    };
  });
  return { adjustment, part, takings, consequences };
}

/** Returns the movements of one merchant, in one journal. */
function journalOf(
  { attempt: { transactionId, attempt, rail }, balances }: AdjustmentFacts,
  merchantId: MerchantId,
  { kind, key, money: { currency } }: DepositAdjustment,
  takings: readonly ReceiptTaking[],
  part: AdjustmentPart,
): Journal[] {
  const here = takings.filter(({ receipt }) => receipt.deposit.merchantId === merchantId);
  if (here.length === 0) return [];
  const credited = sumOf(here.filter(({ account }) => account === 'available'));
  const held = sumOf(here) - credited;
  const post = REVERSALS.has(kind) ? giveAgain : takeBack;
  const posting = { merchantId, transactionId, attempt, kind, key, rail, currency, credited, held, part };
  return [post(posting, balances(merchantId, currency))];
}

/** Returns the records of the money that moves now. The deposit's state does not change. */
function planFor(
  facts: AdjustmentFacts,
  deposit: Deposit,
  adjustment: DepositAdjustment,
  takings: readonly ReceiptTaking[],
  journals: readonly Journal[],
  part: AdjustmentPart,
  { merchants, compose, at, actor }: PlanningParts,
): DepositConsequence['plan'] {
  const { state, merchantId } = deposit;
  const merchant = merchants.get(merchantId);
  invariant(merchant, 'payment money held by an unlisted merchant');
  const here = takings.filter(({ receipt }) => receipt.deposit === deposit || isSame(receipt.deposit, deposit));
  const { currency } = adjustment.money;
  const moved = { currency, minor: sumOf(here.filter(({ account }) => account === 'available')) };
  const detail = isSame(deposit, facts.deposit)
    ? detailOf(adjustment, takings, facts.deposit)
    : `${adjustment.key}: ${formatMoney({ currency, minor: sumOf(here) })} that came as ${facts.attempt.rail}/${facts.attempt.reference}`;
  const event = () => adjustmentEvent(deposit, merchant, adjustment, part, compose(deposit, adjustment, moved, at), at);
  return {
    change: null,
    journals,
    history: { at, event: adjustment.kind, fromState: state, toState: state, actor, detail },
    // Merchants update their own books by these events. Their books do not contain held money yet.
    callbacks: moved.minor > 0n ? [event()] : [],
  };
}

function isSame(one: Deposit, other: Deposit): boolean {
  return one.transactionId === other.transactionId;
}

function detailOf({ key, money, detail }: DepositAdjustment, takings: readonly ReceiptTaking[], own: Deposit): string {
  const { currency } = money;
  const textOf = (minor: bigint) => formatMoney({ currency, minor });
  const moved = sumOf(takings);
  const what =
    moved === money.minor ? textOf(money.minor) : `${textOf(money.minor)}, of which ${textOf(moved)} moved now`;
  const elsewhere = takings
    .filter(({ receipt }) => !isSame(receipt.deposit, own))
    .map(({ receipt: { deposit }, amount }) => `${textOf(amount)} of it at ${deposit.merchantId}/${deposit.orderId}`);
  const held = sumOf(takings.filter(({ account }) => account === 'suspense'));
  const ofHeld = held > 0n ? [`${textOf(held)} of it was held money`] : [];
  return [`${key}: ${what}`, ...elsewhere, ...ofHeld, detail].filter((text) => text !== '').join('; ');
}

function sumOf(takings: readonly ReceiptTaking[]): bigint {
  return takings.reduce((sum, { amount }) => sum + amount, 0n);
}

function atLeastZero(minor: bigint): bigint {
  return minor > 0n ? minor : 0n;
}

function lower(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
