/**
 * Open loops at increasing fixed rates, until p99 exceeds its limit or the gateway builds a backlog. The result is the highest
 * sustainable rate. Latency counts from the due time of a request.
 */
import type { Latency } from '../load/latency.ts';
import type { Bench, Findings, Row } from '../measure/bench.ts';
import { measureLoad, warmUp } from '../measure/measure-load.ts';
import { P99_LIMIT_MS } from './limits.ts';
import { CONNECTIONS, KEEPS_UP, WARM_UP_SECONDS } from './usual.ts';

const OPEN_CONNECTIONS = 256;
/** The steps as fractions of the closed loop's rate. */
const STEPS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2];
const HALVINGS = 3;

interface Step {
  readonly offered: number;
  readonly row: Row;
  readonly holds: boolean;
}

export async function measureRates(bench: Bench): Promise<Findings> {
  const { stage } = bench;
  const api = await stage.startGateway('api');
  const plan = { subject: 'payout', url: stage.gatewayUrl } as const;
  await warmUp(bench, { ...plan, connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
  const closed = await measureLoad(bench, 'closed loop', { ...plan, connections: CONNECTIONS });
  const steps: Step[] = [];
  const offer = async (rate: number) => {
    const offered = Math.round(rate);
    const what = `open loop at ${offered}/s`;
    const { row } = await measureLoad(bench, what, { ...plan, connections: OPEN_CONNECTIONS, rate: offered });
    const holds = (row.latencyMs?.p99 ?? 0) <= P99_LIMIT_MS && row.rate >= offered * KEEPS_UP;
    steps.push({ offered, row, holds });
    return holds;
  };
  const highest = await findHighest(closed.row.rate, offer);
  await api.stop();
  const rising = steps.toSorted((left, right) => left.offered - right.offered);
  return {
    rows: [closed.row, ...rising.map(({ row, holds }) => ({ ...row, notes: holds ? '' : 'does not hold' }))],
    curves: { latency: curvesOf(decidingOf(rising)) },
    figures: {
      highestRate: Math.round(highest),
      closedLoopRate: closed.row.rate,
      ofClosedLoop: highest / closed.row.rate,
    },
  };
}

/** `offer` resolves to true if the gateway sustains the rate. */
async function findHighest(closedLoopRate: number, offer: (rate: number) => Promise<boolean>): Promise<number> {
  let highest = 0;
  let broken = 0;
  for (const step of STEPS) {
    const rate = step * closedLoopRate;
    // Repeat a failed rate once: a single stall of the machine does not show the gateway's limit.
    if ((await offer(rate)) || (await offer(rate))) highest = rate;
    else {
      broken = rate;
      break;
    }
  }
  for (let halving = 0; halving < HALVINGS && broken > 0; halving++) {
    const middle = (highest + broken) / 2;
    if (await offer(middle)) highest = middle;
    else broken = middle;
  }
  return highest;
}

/** Returns the decisive attempt at each rate: the first that succeeded, otherwise the first. */
function decidingOf(steps: readonly Step[]): Step[] {
  const byRate = Map.groupBy(steps, ({ offered }) => offered);
  return [...byRate.values()].flatMap((tries) => tries.find(({ holds }) => holds) ?? tries[0] ?? []);
}

const PERCENTILES: Readonly<Record<string, keyof Latency>> = { p50: 'p50', p99: 'p99', 'p99.9': 'p999' };

function curvesOf(steps: readonly Step[]) {
  return Object.entries(PERCENTILES).map(([name, percentile]) => ({
    name,
    points: steps.map(({ offered, row }) => [offered, row.latencyMs?.[percentile] ?? 0] as const),
  }));
}
