/**
 * Queries a rail about payouts that the operator names, whether the database contains them or not, by their computed
 * references. It settles nothing. A payout that the provider has and this rail never sent becomes a difference. The gateway
 * never sends its reference afterwards (decision 55).
 */
import { SECOND_MS, utcDayOf } from '../../foundation/clock.ts';
import type { PayoutKey } from '../../foundation/identifiers.ts';
import { formatMoney, type Money } from '../../foundation/money.ts';
import type { PayoutPurpose } from '../methods/payout-purpose.ts';
import { type ReferenceOf, remittanceOf } from '../payouts/payout-order.ts';
import {
  callPayoutRail,
  type PayoutCallParts,
  type PayoutOrder,
  type PayoutRail,
  type RailStatus,
} from '../payouts/payout-rail.ts';
import type { PayoutRecord } from '../payouts/payout-record-store.ts';
import type { AdjustedBy } from '../payouts/payout-store.ts';
import { compareAnswer, stateAt } from './compare-payout-list.ts';
import type { ReconciliationStore } from './reconciliation-store.ts';

/** A payout from a merchant's list. */
export interface NamedPayout extends PayoutKey {
  readonly money: Money;
}

export interface AnsweredPayout extends NamedPayout {
  readonly reference: string;
  /** The state on each side. */
  readonly ours: string;
  readonly theirs: string;
  readonly comparison: 'same' | 'differs' | 'not_compared';
  /** True if only the provider knows the payout. It is now a recorded difference, and the gateway never sends it. */
  readonly isKept: boolean;
}

interface AskNamedParts extends PayoutCallParts {
  readonly rail: PayoutRail;
  readonly referenceOf: ReferenceOf;
  readonly record: (key: PayoutKey) => Promise<PayoutRecord | undefined>;
  readonly store: Pick<ReconciliationStore, 'recordUnmatched'>;
}

/** Sends one query at a time, with a pause after each, so that payouts are not delayed. */
const PAUSE_MS = 100;
const MOST_QUESTIONS = 3;
const AGAIN_AFTER_MS = 2 * SECOND_MS;

export async function askNamedPayouts(
  parts: AskNamedParts,
  named: readonly NamedPayout[],
  signal: AbortSignal,
): Promise<readonly AnsweredPayout[]> {
  const answered: AnsweredPayout[] = [];
  for (const each of named) {
    answered.push(await askOne(parts, each, signal));
    await parts.clock.sleep(PAUSE_MS, signal);
  }
  return answered;
}

async function askOne(parts: AskNamedParts, named: NamedPayout, signal: AbortSignal): Promise<AnsweredPayout> {
  const { rail, record, referenceOf } = parts;
  const { merchantId, payoutId } = named;
  const known = await record(named);
  const attempt = known?.attempts.find((each) => each.rail === rail.name);
  const reference = attempt?.reference ?? referenceOf({ merchantId, payoutId, rail: rail.name });
  const money = known?.payout.money ?? named.money;
  const status = await ask(parts, orderAbout(parts, { merchantId, payoutId, money }, reference), signal);
  const wasSent = known !== undefined && attempt !== undefined;
  const compared = wasSent ? compareKnown(rail.name, known, reference, status) : compareUnsent(known, status);
  const isKept = !wasSent && compared.comparison === 'differs';
  const answered = { merchantId, payoutId, money, reference, theirs: wordsOf(status, money), ...compared, isKept };
  if (isKept) await keep(parts, answered);
  return answered;
}

async function keep({ rail, store, clock }: AskNamedParts, answered: AnsweredPayout): Promise<void> {
  const { merchantId, payoutId, reference: subject, ours, theirs } = answered;
  const at = clock.now();
  const names = { merchantId, payoutId, ours, theirs };
  await store.recordUnmatched({ rail: rail.name, day: utcDayOf(at), subject, ...names, by: 'asked', at });
}

/** The query contains no account, because the database may have lost it with the payout. */
function orderAbout({ rail, clock }: AskNamedParts, named: NamedPayout, reference: string): PayoutOrder {
  const [method = null] = rail.methods;
  const [own = 'payout'] = rail.ownPurposes ?? [];
  const purpose: PayoutPurpose = method === null ? own : 'payout';
  const about = { reference, remittance: remittanceOf(named), money: named.money, purpose, method };
  return { ...about, beneficiary: { account: '' }, sendUntil: clock.now(), delayed: false };
}

async function ask(parts: AskNamedParts, order: PayoutOrder, signal: AbortSignal): Promise<RailStatus> {
  for (let asked = 1; ; asked += 1) {
    const status = await callPayoutRail(parts, parts.rail, 'ask', order);
    if (status.kind !== 'unknown' || asked === MOST_QUESTIONS || signal.aborted) return status;
    await parts.clock.sleep(AGAIN_AFTER_MS, signal);
  }
}

type Compared = Pick<AnsweredPayout, 'ours' | 'comparison'>;

function compareKnown(rail: string, record: PayoutRecord, reference: string, status: RailStatus): Compared {
  const known = { reference, payout: record.payout, adjustedBy: adjustedBy(record) };
  const ours = stateAt(rail, known);
  if (status.kind === 'unknown') return { ours, comparison: 'not_compared' };
  return { ours, comparison: compareAnswer(rail, known, status) === 'matches' ? 'same' : 'differs' };
}

/** The gateway never sent it through this rail, so the provider must not know it. */
function compareUnsent(record: PayoutRecord | undefined, { kind }: RailStatus): Compared {
  const ours = record ? `${record.payout.state}, not sent by this rail` : 'unknown here';
  if (kind === 'unknown') return { ours, comparison: 'not_compared' };
  return { ours, comparison: kind === 'not_found' ? 'same' : 'differs' };
}

/** The rail of each adjustment, by its kind. */
export function adjustedBy({ adjustments }: PayoutRecord): AdjustedBy {
  return Object.fromEntries(adjustments.map(({ kind, rail }) => [kind, rail]));
}

/** Formats the response as text. */
export function wordsOf(status: RailStatus, money: Money): string {
  if (status.kind === 'not_found') return 'not known there';
  if (status.kind === 'unknown') return `no response: ${status.reason}`;
  const reason = 'reason' in status ? `: ${status.reason}` : '';
  return `${status.kind}, ${formatMoney(money)}${reason}`;
}
