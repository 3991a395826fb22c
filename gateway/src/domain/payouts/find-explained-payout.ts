/** Finds a payout with the reason why it is pending. */
import type { Clock } from '../../foundation/clock.ts';
import type { PayoutKey } from '../../foundation/identifiers.ts';
import { HEALTH_COUNTS_FOR_MS } from '../rails/rail-health.ts';
import type { RailHealthStore } from '../rails/rail-health-store.ts';
import { holdsQueuedBefore, timeInDoubtFor } from '../recovery/recovery.ts';
import type { RecoveryStore } from '../recovery/recovery-store.ts';
import { closedUntil } from '../routing/opening-hours.ts';
import type { PauseStore } from '../routing/pause-store.ts';
import { createPauseView } from '../routing/pauses.ts';
import type { RouteStore } from '../routing/route-store.ts';
import { type ExplainedPayout, explainPending } from './explain-pending.ts';
import { type PayoutRail, statusCallOf } from './payout-rail.ts';
import type { PayoutRecordStore } from './payout-record-store.ts';

interface FindExplainedPayoutParts {
  readonly payoutRecords: Pick<PayoutRecordStore, 'record'>;
  readonly pauses: Pick<PauseStore, 'list'>;
  readonly routes: Pick<RouteStore, 'read'>;
  readonly recoveries: Pick<RecoveryStore, 'latest'>;
  readonly railHealth: Pick<RailHealthStore, 'health'>;
  readonly rails: readonly PayoutRail[];
  /** The names of this gateway's rails. */
  readonly railNames: () => Promise<readonly string[]>;
  readonly clock: Clock;
}

export async function findExplainedPayout(
  parts: FindExplainedPayoutParts,
  key: PayoutKey,
): Promise<ExplainedPayout | undefined> {
  const { rails, clock } = parts;
  const record = await parts.payoutRecords.record(key);
  if (!record) return undefined;
  const { payout, job } = record;
  const configured = new Set(await parts.railNames());
  const pause = createPauseView(await parts.pauses.list()).find(payout);
  const { hours } = await parts.routes.read();
  const recovery = await parts.recoveries.latest();
  const rail = rails.find(({ name }) => name === payout.rail);
  const around = {
    statusCall: rail ? statusCallOf(rail, payout) : 'ask',
    pause,
    isRailDown: await isRailDown(parts, payout.rail),
    closedUntil: closedUntil(hours, payout.rail, clock.now()),
    doubt: timeInDoubtFor(recovery, rails, payout.rail, clock.now()) ?? null,
    heldBefore: holdsQueuedBefore(recovery, payout.rail),
    configuredRails: configured,
  } as const;
  return { ...record, pending: job && explainPending(payout, job, around) };
}

/** True if workers report on the rail and none of them calls it normally. */
async function isRailDown({ railHealth, clock }: FindExplainedPayoutParts, rail: string): Promise<boolean> {
  const reports = await railHealth.health(clock.now() - HEALTH_COUNTS_FOR_MS);
  const own = reports.filter((report) => report.rail === rail);
  return own.length > 0 && own.every(({ breaker }) => breaker !== 'closed');
}
