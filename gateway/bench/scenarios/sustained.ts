/**
 * Measures the sustainable rate of accepting and draining together, with every process running. Short runs search for the
 * highest rate at which no queue grows. Longer runs then determine which part of it the gateway sustains for minutes. A last
 * run, longer and at a lower rate, shows whether memory stays constant.
 */
import type { Bench, Findings, Row } from '../measure/bench.ts';
import { measureLoad } from '../measure/measure-load.ts';
import { meanOf, type Point, slopeOf, thinned } from '../measure/statistics.ts';
import { afterWarmUp, type Soak, soak, withEverything } from './soak.ts';
import { CONNECTIONS, KEEPS_UP } from './usual.ts';

/** The queue counts as growing if it increases by more than this fraction of the rate per second. */
const GROWTH_LIMIT = 0.01;
/** Payouts per second, used if no earlier scenario measured a rate. */
const FIRST_GUESS = 1_000;
/** The search begins at this fraction of the drain rate, and multiplies each sustained rate by the same factor. */
const BEGIN_PART = 0.6;
const RISE = 1.4;
const HALVINGS = 5;
/** Fractions of the rate of the short runs, tried in turn. Over minutes, a machine is slower than at its best moments. */
export const HELD_PARTS = [0.95, 0.85, 0.75] as const;
/** A fraction of the sustained rate. */
const MEMORY_PART = 0.75;
const MOST_POINTS = 150;

/** `drainRate` is the starting point of the search. */
export async function measureSustained(bench: Bench, drainRate: number | null): Promise<Findings> {
  const { stage } = bench;
  return withEverything(bench, async (withoutWorker) => {
    const acceptAlone = async (when: string): Promise<Row> => {
      const plan = { subject: 'payout', url: stage.gatewayUrl, connections: CONNECTIONS } as const;
      return withoutWorker(async () => (await measureLoad(bench, `accept alone, ${when}`, plan)).row);
    };
    const { highest, probes } = bench.rate ? { highest: bench.rate, probes: [] } : await findHighest(bench, drainRate);
    // The speed of a machine drifts within minutes, so the reference rate is measured before and after.
    const before = await acceptAlone('before');
    const rates = bench.rate ? [bench.rate] : HELD_PARTS.map((part) => Math.round(highest * part));
    const { rate, held, tooMuch } = await holdForMinutes(bench, rates);
    const after = await acceptAlone('after');
    const ofAccept = held.toCallback.rate / meanOf([before.rate, after.rate]);
    const sustained = [held.accepted, { ...held.toCallback, ratios: { 'of accept': ofAccept } }];
    return {
      rows: [...probes, before, ...tooMuch, ...sustained, after],
      curves: { queue: queueCurves(held), memory: memoryCurves(held.watched.rss) },
      figures: {
        highestRateInShortRuns: Math.round(highest),
        rate: held.toCallback.rate,
        queueGrowthPerSecond: held.queueGrowth,
        holds: Number(holds(held, rate)),
        ofAccept,
      },
    };
  });
}

interface Held {
  readonly rate: number;
  readonly held: Soak;
  /** The runs at higher rates that the gateway did not sustain. */
  readonly tooMuch: readonly Row[];
}

/** Tries the rates in turn. Returns the first that the gateway sustains, or the last. */
async function holdForMinutes(bench: Bench, rates: readonly number[]): Promise<Held> {
  const tooMuch: Row[] = [];
  for (const rate of rates) {
    const held = await soak(bench, `sustained at ${rate}/s`, rate, bench.minutes * 60);
    if (holds(held, rate) || rate === rates.at(-1)) return { rate, held, tooMuch };
    tooMuch.push({ ...held.toCallback, notes: noteOn(held, rate) });
  }
  throw new Error('no rate was given');
}

async function findHighest(bench: Bench, drainRate: number | null): Promise<{ highest: number; probes: Row[] }> {
  const probes: Row[] = [];
  const probe = async (rate: number) => {
    const offered = Math.round(rate);
    const found = await soak(bench, `does ${offered}/s hold?`, offered, bench.seconds * 2);
    probes.push({ ...found.toCallback, notes: noteOn(found, offered) });
    return holds(found, offered);
  };
  let low = 0;
  let high = (drainRate ?? FIRST_GUESS) * BEGIN_PART;
  await soak(bench, 'sustained: warm-up', Math.round(high / 2), bench.seconds * 2);
  while (await probe(high)) [low, high] = [high, high * RISE];
  for (let halving = 0; halving < HALVINGS || low === 0; halving++) {
    const middle = (low + high) / 2;
    if (middle < 1) throw new Error('the gateway completes less than one payout per second');
    if (await probe(middle)) low = middle;
    else high = middle;
  }
  return { highest: low, probes };
}

function noteOn(found: Soak, offered: number): string {
  return `${holds(found, offered) ? 'holds' : 'does not hold'}: ${found.queueGrowth.toFixed(1)} more are queued each second`;
}

function holds({ accepted, queueGrowth }: Soak, offered: number): boolean {
  return queueGrowth <= offered * GROWTH_LIMIT && accepted.rate >= offered * KEEPS_UP;
}

/** `sustainedRate` is the rate that the previous scenario sustained. */
export async function measureMemory(bench: Bench, sustainedRate: number | null): Promise<Findings> {
  const rate = Math.round(bench.rate ?? (sustainedRate ?? FIRST_GUESS) * MEMORY_PART);
  return withEverything(bench, async () => {
    const held = await soak(bench, `memory at ${rate}/s`, rate, bench.minutes * 2 * 60);
    const { rss, heap } = held.watched;
    return {
      rows: [held.accepted, held.toCallback],
      curves: { memory: [...memoryCurves(rss), ...memoryCurves(heap, ', heap')], queue: queueCurves(held) },
      figures: {
        rate,
        minutes: bench.minutes * 2,
        ...slopes(rss, 'RssMegabytesPerMinute'),
        ...slopes(heap, 'HeapMegabytesPerMinute'),
      },
    };
  });
}

function slopes(series: ReadonlyMap<string, readonly Point[]>, unit: string): Record<string, number> {
  const perMinute = (points: readonly Point[]) => slopeOf(afterWarmUp(points)) * 60;
  return Object.fromEntries([...series].map(([name, points]) => [`${name}${unit}`, perMinute(points)]));
}

function queueCurves({ watched: { jobs, callbacks } }: Soak) {
  return [
    { name: 'payouts in flight', points: thinned(jobs, MOST_POINTS) },
    { name: 'callbacks due', points: thinned(callbacks, MOST_POINTS) },
  ];
}

function memoryCurves(series: ReadonlyMap<string, readonly Point[]>, suffix = '') {
  return [...series].map(([name, points]) => ({ name: `${name}${suffix}`, points: thinned(points, MOST_POINTS) }));
}
