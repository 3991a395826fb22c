/**
 * Reads the length of the queues and the age of their oldest job, every few seconds, for metrics and alerts. It reads entire
 * queues without locks. So the caller spaces the reads by their cost. While a cluster lacks a server, it counts the others.
 */
import type { QueueStatistics } from '../../domain/monitoring/queue-statistics.ts';
import type { PayoutStage } from '../../domain/payouts/payout.ts';
import type { Instant } from '../../foundation/clock.ts';
import { ofReachable, sweep, textsOf } from '../cluster/across-servers.ts';
import type { Database } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';
import { countOpenDifferences } from '../differences/difference-store.ts';

interface StageRow {
  rail: string;
  stage: PayoutStage;
  count: number;
  oldest_since: number;
  oldest_due_at: number | null;
}

const PAYOUTS = textsOf(
  (servers) => `
select rail, stage, count(*)::int as count, min(stage_since) as oldest_since,
  min(due_at) filter (where due_at <= $1 and stage <> 'awaiting_approval') as oldest_due_at
from payout_jobs where true${ofReachable(servers, 'payout_jobs', '$2')} group by rail, stage order by rail, stage`,
);

const WAITING_CALLBACKS = textsOf(
  (servers) => `
select count(*)::int as waiting from callbacks where state = 'due'${ofReachable(servers, 'callbacks', '$1')}`,
);

/** Reads the lanes, one per merchant, and the first callback of each queue. */
const LANES = textsOf(
  (servers) => `
select count(*) filter (where lane.paused_until > $1)::int as paused,
  min(head.due_at) filter (where head.due_at <= $1 and coalesce(lane.paused_until, '-infinity') <= $1) as oldest_due_at
from callback_lanes as lane
left join lateral (
  select due_at from callbacks as c where c.merchant_id = lane.merchant_id and c.state = 'due'${ofReachable(servers, 'c', '$2')}
  order by c.due_at limit 1) as head on true
where true${ofReachable(servers, 'lane', '$2')}`,
);

export async function readQueueStatistics(database: Database, now: Instant): Promise<QueueStatistics> {
  const at = timestamp(now);
  const stages = await sweep<StageRow>(database, PAYOUTS, [at]);
  const [lanes] = await sweep<{ paused: number; oldest_due_at: number | null }>(database, LANES, [at]);
  const [callbacks] = await sweep<{ waiting: number }>(database, WAITING_CALLBACKS, []);
  const differences = await countOpenDifferences(database);
  return {
    payoutStages: stages.map((row) => ({
      rail: row.rail,
      stage: row.stage,
      count: row.count,
      oldestSince: row.oldest_since,
    })),
    payoutsDue: oldestByRail(stages),
    callbacks: {
      waiting: callbacks?.waiting ?? 0,
      oldestDueAt: lanes?.oldest_due_at ?? null,
      lanesPaused: lanes?.paused ?? 0,
    },
    differences,
  };
}

function oldestByRail(stages: readonly StageRow[]): QueueStatistics['payoutsDue'] {
  const oldest = new Map<string, Instant | null>();
  for (const { rail, oldest_due_at } of stages) {
    const known = oldest.get(rail) ?? null;
    oldest.set(
      rail,
      known === null || oldest_due_at === null ? (known ?? oldest_due_at) : Math.min(known, oldest_due_at),
    );
  }
  return [...oldest].map(([rail, oldestDueAt]) => ({ rail, oldestDueAt }));
}
