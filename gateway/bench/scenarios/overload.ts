/**
 * Offers more load than the gateway can handle, over many connections. Measures the remaining goodput and how the gateway
 * sheds the excess.
 */
import type { Bench, Findings, Row } from '../measure/bench.ts';
import { measureLoad, warmUp } from '../measure/measure-load.ts';
import { medianOf } from '../measure/statistics.ts';
import { CONNECTIONS, WARM_UP_SECONDS } from './usual.ts';

/** A number above what the gateway queues, so that the gateway sheds load instead of letting the load generator wait. */
const MANY_CONNECTIONS = 4_000;
const PEAK_AT = [CONNECTIONS, 256];
const TIMES = [1, 2, 3] as const;
const ROUNDS = 3;

interface Round {
  readonly peaks: readonly Row[];
  readonly loads: readonly Row[];
}

/**
 * Measures in rounds, because a machine whose speed drifts slows an entire round. The result is the median of the rounds'
 * ratios.
 */
export async function measureOverload(bench: Bench): Promise<Findings> {
  const { stage } = bench;
  const api = await stage.startGateway('api');
  await warmUp(bench, { ...planOf(bench), connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
  const rounds: Round[] = [];
  for (let round = 1; round <= ROUNDS; round++) rounds.push(await measureRound(bench, `round ${round}: `));
  await api.stop();
  const goodput = TIMES.map((times, at) => [times, medianOf(rounds.map((round) => ofPeak(round, at)))] as const);
  return {
    rows: rounds.flatMap(({ peaks, loads }) => [...peaks, ...loads]),
    curves: {
      goodput: [
        { name: 'taken', points: goodput },
        { name: 'offered', points: TIMES.map((times) => [times, times] as const) },
      ],
    },
    figures: {
      peakRate: medianOf(rounds.map(peakOf)),
      ...Object.fromEntries(goodput.map(([times, part]) => [`ofPeakAt${times}`, part])),
      acceptedP99MsAt3: medianOf(rounds.map(({ loads }) => loads.at(-1)?.latencyMs?.p99 ?? 0)),
    },
  };
}

async function measureRound(bench: Bench, name: string): Promise<Round> {
  const plan = planOf(bench);
  const peaks: Row[] = [];
  for (const connections of PEAK_AT)
    peaks.push((await measureLoad(bench, `${name}closed loop, ${connections} at once`, { ...plan, connections })).row);
  const loads: Row[] = [];
  for (const times of TIMES) {
    const rate = Math.round(peakOf({ peaks }) * times);
    const what = `${name}${times} × the peak offered, ${rate}/s`;
    const { row, result } = await measureLoad(bench, what, { ...plan, connections: MANY_CONNECTIONS, rate });
    const notes = `${Math.round((result.shed / (result.sent + result.unsent)) * 100)} % of what was offered was shed`;
    loads.push({ ...row, notes, ratios: { 'of peak': row.rate / peakOf({ peaks }) } });
  }
  return { peaks, loads };
}

const planOf = ({ stage }: Bench) => ({ subject: 'payout', url: stage.gatewayUrl }) as const;

const peakOf = ({ peaks }: Pick<Round, 'peaks'>) => Math.max(...peaks.map(({ rate }) => rate));

const ofPeak = (round: Round, at: number) => (round.loads[at]?.rate ?? 0) / peakOf(round);
