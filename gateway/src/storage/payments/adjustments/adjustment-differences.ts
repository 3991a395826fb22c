/** Reports and resolves the differences of adjustments, in the transaction of the adjustment. Their subject identifies the report. */

import { BY_ITSELF } from '../../../domain/audit/act-words.ts';
import { type DepositAdjustment, REVERSALS } from '../../../domain/deposits/deposit-adjustment.ts';
import type { AdjustmentFacts, AdjustmentPlan } from '../../../domain/payments/adjustments/adjustment-store.ts';
import { restOf } from '../../../domain/payments/adjustments/plan-adjustment.ts';
import type { Instant } from '../../../foundation/clock.ts';
import { formatMoney } from '../../../foundation/money.ts';
import type { Queryable } from '../../core/database.ts';
import { reportDifferences, resolveByItself } from '../../differences/difference-store.ts';

function subjectOf({ attempt }: AdjustmentFacts, { kind, key }: Pick<DepositAdjustment, 'kind' | 'key'>): string {
  return `${attempt.reference}/${kind}/${key}`;
}

/** Reports the shortfall of this adjustment. Resolves the counterpart's shortfall if this adjustment explains it. */
export async function reportExcess(
  transaction: Queryable,
  facts: AdjustmentFacts,
  { adjustment, short }: AdjustmentPlan,
): Promise<void> {
  const { counterpart } = facts;
  const { money, posted, at } = adjustment;
  if (counterpart && explains(adjustment, counterpart))
    await resolveExcess(transaction, facts, counterpart, `${adjustment.kind} was reported as well`, at);
  if (short === 0n) return;
  const { merchantId, transactionId, rail } = facts.attempt;
  await reportDifferences(transaction, [
    {
      kind: 'excess',
      rail,
      subject: subjectOf(facts, adjustment),
      merchantId,
      payoutId: null,
      transactionId,
      ours: `${formatMoney({ currency: money.currency, minor: posted })} moved`,
      theirs: `${adjustment.kind} ${formatMoney(money)}`,
      foundAt: at,
    },
  ]);
}

/** A reversal leaves nothing of its adjustment to take. An adjustment covers the reversal that was reported before it. */
function explains(adjustment: DepositAdjustment, counterpart: DepositAdjustment): boolean {
  if (adjustment.money.currency !== counterpart.money.currency) return false;
  return REVERSALS.has(adjustment.kind)
    ? restOf(counterpart, adjustment) === 0n
    : adjustment.money.minor >= counterpart.money.minor;
}

/** Called after all of the rest moved. A reversal of more than was reported before keeps its difference. */
export async function resolveRest(
  transaction: Queryable,
  facts: AdjustmentFacts,
  adjustment: DepositAdjustment,
  at: Instant,
): Promise<void> {
  const isReversal = REVERSALS.has(adjustment.kind);
  if (isReversal && facts.counterpart && !explains(facts.counterpart, adjustment)) return;
  const what = isReversal ? 'returned' : 'took';
  await resolveExcess(transaction, facts, adjustment, `the money was available again, and the gateway ${what} it`, at);
}

function resolveExcess(
  transaction: Queryable,
  facts: AdjustmentFacts,
  adjustment: DepositAdjustment,
  resolution: string,
  at: Instant,
): Promise<void> {
  const { rail } = facts.attempt;
  return resolveByItself(transaction, { rail, kind: 'excess', subject: subjectOf(facts, adjustment) }, resolution, at);
}

/** Returns true if a user resolved the difference, and so decided on the shortfall. */
export async function isDecided(
  transaction: Queryable,
  facts: AdjustmentFacts,
  adjustment: DepositAdjustment,
): Promise<boolean> {
  const decided = await transaction.query(
    `select from differences where rail = $1 and kind = 'excess' and subject = $2 and resolved_by <> '${BY_ITSELF}'`,
    [facts.attempt.rail, subjectOf(facts, adjustment)],
  );
  return decided.length > 0;
}
