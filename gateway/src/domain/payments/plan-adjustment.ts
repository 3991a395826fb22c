/**
 * What follows from what a provider tells of a payment after its result. Pure.
 *
 * Never more goes back than came: of a payment, what it brought bounds everything that is taken back or refunded. What
 * finds nothing to be taken from moves no money and waits for the operator; it is taken by itself once there is something
 * (a refund that failed, held money that was credited). An undoing moves back what the thing that it undoes has moved; told
 * before that, it moves nothing, and the thing moves nothing when it comes.
 */
import type { Instant } from '../../foundation/clock.ts';
import { formatAmount, type Money } from '../../foundation/money.ts';
import { type DepositAdjustment, UNDOINGS } from '../deposits/deposit-adjustment.ts';
import { type AdjustmentComposer, adjustmentEvent } from '../deposits/deposit-callbacks.ts';
import type { LaterNews } from '../deposits/payment-rail.ts';
import { type AdjustmentPart, giveAgain, takeBack } from '../ledger/journals.ts';
import type { Merchant } from '../merchants/merchant.ts';
import type { AdjustmentFacts, AdjustmentPlan } from './adjustment-store.ts';

interface Measured {
  readonly money: Money;
  /** Minor units. */
  readonly posted: bigint;
  readonly short: bigint;
}

export interface PlanningParts {
  readonly merchant: Merchant;
  readonly compose: AdjustmentComposer;
  readonly at: Instant;
  /** Who says so. */
  readonly actor: string;
}

export function planAdjustment(facts: AdjustmentFacts, news: LaterNews, parts: PlanningParts): AdjustmentPlan {
  const { kind, key, detail } = news;
  const { money, posted, short } = UNDOINGS.has(kind) ? measureUndoing(facts, news) : measureTaking(facts, news);
  const { attempt } = facts.payment.attempt;
  const adjustment: DepositAdjustment = { attempt, kind, key, money, posted, at: parts.at, detail };
  return { ...consequences(facts, adjustment, posted, 'first', parts), adjustment, short };
}

/** What was short is taken when all of it can be; undefined before, and where it has been undone since. */
export function planRest(
  facts: AdjustmentFacts & { readonly adjustment: DepositAdjustment },
  parts: PlanningParts,
): Omit<AdjustmentPlan, 'short'> | undefined {
  const rest = restOf(facts.adjustment, facts.counterpart);
  if (rest === 0n || rest > facts.payment.left || !isComparable(facts, facts.adjustment.money)) return undefined;
  const adjustment = { ...facts.adjustment, posted: facts.adjustment.posted + rest };
  return { ...consequences(facts, adjustment, rest, 'rest', parts), adjustment };
}

/** Minor units of a taking-back that neither moved money nor were undone. */
function restOf(taking: DepositAdjustment, undoing: DepositAdjustment | undefined): bigint {
  const stands = taking.money.minor - (undoing?.money.minor ?? 0n);
  return atLeastZero(stands - (taking.posted - (undoing?.posted ?? 0n)));
}

function measureTaking(facts: AdjustmentFacts, { money: told }: LaterNews): Measured {
  const { payment, counterpart: undoing } = facts;
  const money = told ?? (payment.left > 0n ? inCurrency(facts, payment.left) : allOf(facts));
  const wanted = atLeastZero(money.minor - (undoing?.money.minor ?? 0n));
  const posted = isComparable(facts, money) ? lower(wanted, payment.left) : 0n;
  return { money, posted, short: wanted - posted };
}

function measureUndoing(facts: AdjustmentFacts, { money: told }: LaterNews): Measured {
  const { counterpart: taking } = facts;
  const money = told ?? taking?.money ?? allOf(facts);
  const stands = atLeastZero((taking?.money.minor ?? 0n) - money.minor);
  const posted = isComparable(facts, money) ? atLeastZero((taking?.posted ?? 0n) - stands) : 0n;
  return { money, posted, short: atLeastZero(money.minor - (taking?.money.minor ?? 0n)) };
}

/** Of an amount in another currency, or against one, nothing follows by itself. */
function isComparable({ deposit, counterpart }: AdjustmentFacts, { currency }: Money): boolean {
  return [currency, counterpart?.money.currency ?? currency].every((each) => each === deposit.money.currency);
}

function allOf(facts: AdjustmentFacts): Money {
  const { credited } = facts.payment;
  return credited > 0n ? inCurrency(facts, credited) : facts.deposit.money;
}

function inCurrency({ deposit }: AdjustmentFacts, minor: bigint): Money {
  return { currency: deposit.money.currency, minor };
}

/** The records of what moves now; the deposit's state is none of them. */
function consequences(
  facts: AdjustmentFacts,
  adjustment: DepositAdjustment,
  moved: bigint,
  part: AdjustmentPart,
  { merchant, compose, at, actor }: PlanningParts,
) {
  const { deposit, balances, payment } = facts;
  const { kind, key, attempt } = adjustment;
  const { merchantId, transactionId, money, state } = deposit;
  const posting = { merchantId, transactionId, attempt, kind, key, rail: payment.attempt.rail, part } as const;
  const post = UNDOINGS.has(kind) ? giveAgain : takeBack;
  const journal = post({ ...posting, currency: money.currency, amount: moved }, balances);
  const movedMoney = inCurrency(facts, moved);
  const event = () =>
    adjustmentEvent(deposit, merchant, adjustment, part, compose(deposit, adjustment, movedMoney, at), at);
  const detail = detailOf(adjustment, movedMoney);
  return {
    change: null,
    journals: moved > 0n ? [journal] : [],
    history: { at, event: kind, fromState: state, toState: state, actor, detail },
    // Merchants move money in their own books by these events: where none moved here, only the operator is told.
    callbacks: moved > 0n ? [event()] : [],
  };
}

function detailOf({ key, money, detail }: DepositAdjustment, moved: Money): string {
  const told = `${formatAmount(money)} ${money.currency}`;
  const isAll = moved.minor === money.minor && moved.currency === money.currency;
  const what = isAll ? told : `${told}, of which ${formatAmount(moved)} ${moved.currency} moved now`;
  return [`${key}: ${what}`, detail].filter((text) => text !== '').join('; ');
}

function atLeastZero(minor: bigint): bigint {
  return minor > 0n ? minor : 0n;
}

function lower(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
