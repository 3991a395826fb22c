/** Measures the cost of accepting and of completing a payout as the tables grow. */

import { fillPayouts } from '../fill/fill-payouts.ts';
import { payoutFloor } from '../floors/payout-floor.ts';
import { openSqlFloor, sqlRow } from '../floors/sql-floor.ts';
import type { Bench, Findings, Row } from '../measure/bench.ts';
import { measureLoad, warmUp } from '../measure/measure-load.ts';
import { buffersTouched, flushCounters } from '../measure/usage.ts';
import { specimenOf } from '../specimen/specimen.ts';
import { numberOf } from '../stage/admin-client.ts';
import { measureDrain, ownCpuOf } from './drain.ts';
import { CONNECTIONS, WARM_UP_SECONDS } from './usual.ts';

const FLOOR_CONNECTIONS = 32;

interface Sized {
  /** The target number of stored payouts. */
  readonly wanted: number;
  readonly floor: Row;
  readonly accept: Row;
  readonly one: Row;
  readonly drain: Row;
  /** The number of pages accessed per accepted payout, including those accessed when the process starts. */
  readonly buffers: number;
}

export async function measureGrowth(bench: Bench): Promise<Findings> {
  const { stage, onProgress } = bench;
  const specimen = await specimenOf(stage);
  const sizes: Sized[] = [];
  for (const wanted of bench.rows) {
    onProgress(`growth: tables of ${wanted} payouts`);
    await fillPayouts(stage, specimen.final, wanted, (line) => onProgress(`growth: ${line}`));
    sizes.push(await measureSize(bench, wanted));
  }
  const [first, largest] = [sizes[0], sizes.at(-1)];
  if (!first || !largest) throw new Error('no sizes were given');
  return {
    rows: sizes.flatMap(({ floor, accept, one, drain }) => [floor, accept, one, drain]),
    curves: { cost: curvesOf(sizes, first) },
    figures: { smallest: first.wanted, largest: largest.wanted, ...figuresOf(first, largest) },
  };
}

async function measureSize(bench: Bench, wanted: number): Promise<Sized> {
  const { stage, onProgress } = bench;
  const at = `${wanted} payouts stored`;
  onProgress(`${at}: SQL floor`);
  const sql = await openSqlFloor(stage, payoutFloor((await specimenOf(stage)).accepted));
  const floor = sqlRow(`${at}: SQL floor`, await sql.measure(FLOOR_CONNECTIONS, bench.seconds));
  await sql.close();
  await flushCounters(stage);
  const before = await buffersTouched(stage);
  const counted = await numberOf(stage.admin, 'select count(*) from payout_jobs');
  const api = await stage.startGateway('api');
  const plan = { subject: 'payout', url: stage.gatewayUrl } as const;
  await warmUp(bench, { ...plan, connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
  const accept = await measureLoad(bench, `${at}: accept, ${CONNECTIONS} at once`, {
    ...plan,
    connections: CONNECTIONS,
  });
  const one = await measureLoad(bench, `${at}: accept, one at a time`, { ...plan, connections: 1 });
  await api.stop();
  await flushCounters(stage);
  const accepted = (await numberOf(stage.admin, 'select count(*) from payout_jobs')) - counted;
  const buffers = ((await buffersTouched(stage)) - before) / accepted;
  const drained = await measureDrain(bench, accept.row.rate);
  const drain = drained.rows.find(({ what }) => what === 'drain');
  if (!drain) throw new Error('the drain was not measured');
  return { wanted, floor, accept: accept.row, one: one.row, drain: { ...drain, what: `${at}: drain` }, buffers };
}

interface Cost {
  /** The name on the plot. */
  readonly name: string;
  /** The name of the figure. */
  readonly figure: string;
  readonly of: (size: Sized) => number;
}

const COSTS: readonly Cost[] = [
  { name: 'accept, time', figure: 'acceptTime', of: ({ accept }) => 1 / accept.rate },
  { name: 'accept, CPU', figure: 'acceptCpu', of: ({ accept }) => ownCpuOf(accept) },
  { name: 'accept, p50 of one', figure: 'acceptOneP50', of: ({ one }) => one.latencyMs?.p50 ?? 0 },
  { name: 'accept, pages', figure: 'acceptPages', of: ({ buffers }) => buffers },
  { name: 'drain, time', figure: 'drainTime', of: ({ drain }) => 1 / drain.rate },
  { name: 'drain, CPU', figure: 'drainCpu', of: ({ drain }) => ownCpuOf(drain) },
  { name: 'accept, WAL', figure: 'acceptWal', of: ({ accept }) => accept.cost?.walBytes ?? 0 },
  { name: 'SQL floor, time', figure: 'sqlFloorTime', of: ({ floor }) => 1 / floor.rate },
];

/** Returns each cost as a multiple of the cost at the first size. */
function curvesOf(sizes: readonly Sized[], first: Sized) {
  return COSTS.map(({ name, of }) => ({
    name,
    points: sizes.map((size) => [size.wanted, of(size) / of(first)] as const),
  }));
}

function figuresOf(first: Sized, largest: Sized): Record<string, number> {
  const ratios = COSTS.map(({ figure, of }) => [`${figure}AtLargest`, of(largest) / of(first)] as const);
  return Object.fromEntries(ratios);
}
