/** Reconciliation with the providers of payouts: the comparisons, and the operator's commands. */
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import type { PayoutLister } from '../../../domain/payouts/payout-lister.ts';
import type { SettlePayout } from '../../../domain/payouts/settle-payout.ts';
import {
  type AnsweredPayout,
  askNamedPayouts,
  type NamedPayout,
} from '../../../domain/reconciliation/ask-named-payouts.ts';
import { reconcileByAsking } from '../../../domain/reconciliation/reconcile-by-asking.ts';
import { type ReconciledDay, reconcilePayouts } from '../../../domain/reconciliation/reconcile-payouts.ts';
import { DAY_MS, HOUR_MS, utcDayOf } from '../../../foundation/clock.ts';
import type { Hooks } from '../../observability/hooks.ts';
import { reconcileTransfersNow } from '../create-deposits.ts';
import type { Publishing } from '../create-publishing.ts';
import type { GatewayCore } from '../gateway-core.ts';

/** Several times a day, so that a provider that was unavailable is queried again. */
const LISTS_EVERY_MS = 6 * HOUR_MS;
/** Less often than lists, because it sends the provider one query per payout. */
const ASKING_EVERY_MS = 1 * DAY_MS;

/** A comparison of one rail's payouts with its provider. */
interface RailComparison {
  readonly rail: string;
  readonly by: ReconciledDay['by'];
  readonly everyMs: number;
  readonly dayOf: PayoutLister['dayOf'];
  readonly compare: (day: string, signal: AbortSignal) => Promise<ReconciledDay>;
}

export function comparisonsOf(core: GatewayCore, hooks: Hooks, settle: SettlePayout): readonly RailComparison[] {
  const { rails, sendingRails, reconciliations: store, referenceOf, clock } = core;
  const { onRailCall } = hooks;
  return [
    ...[...rails.payoutListers, ...rails.refundListers].map(
      (lister): RailComparison => ({
        rail: lister.rail,
        by: 'list',
        everyMs: LISTS_EVERY_MS,
        dayOf: (at) => lister.dayOf(at - (lister.comparedAfterMs ?? 0)),
        compare: (day, signal) => reconcilePayouts({ lister, store, settle, referenceOf, clock }, day, signal),
      }),
    ),
    ...sendingRails
      .filter(({ isReconciledByAsking }) => isReconciledByAsking)
      .map(
        (rail): RailComparison => ({
          rail: rail.name,
          by: 'asking',
          everyMs: ASKING_EVERY_MS,
          dayOf: utcDayOf,
          compare: (day, signal) => reconcileByAsking({ rail, store, settle, clock, onRailCall }, day, signal),
        }),
      ),
  ];
}

export function reconciliationOperations(
  core: GatewayCore,
  hooks: Hooks,
  publishing: Publishing,
): GatewayOperations['reconciliation'] {
  const comparisons = comparisonsOf(core, hooks, publishing.settle);
  return {
    rails: comparisons.map(({ rail }) => rail),
    days: (days) => core.reconciliations.listDays(days),
    run: async (rail, day) =>
      comparisons.find((each) => each.rail === rail)?.compare(day, new AbortController().signal),
    ask: (rail, named) => askNamed(core, hooks, rail, named),
    transfers: (rail) => reconcileTransfersNow(core, hooks, publishing, rail),
  };
}

async function askNamed(
  { rails, payoutRecords, reconciliations: store, referenceOf, clock }: GatewayCore,
  { onRailCall }: Hooks,
  name: string,
  named: readonly NamedPayout[],
): Promise<readonly AnsweredPayout[] | undefined> {
  const rail = rails.payoutRails.find((each) => each.name === name);
  if (!rail) return undefined;
  const { record } = payoutRecords;
  return askNamedPayouts({ rail, referenceOf, record, store, clock, onRailCall }, named, new AbortController().signal);
}
