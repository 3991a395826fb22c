/** More is offered than can be carried, over many connections: how much is still done, and how the rest is refused. */
import type { Bench, Findings, Row } from '../measure/bench.ts';
import { measureLoad, warmUp } from '../measure/measure-load.ts';
import { CONNECTIONS, WARM_UP_SECONDS } from './accept.ts';

/** More than the gateway queues, so that it is the gateway that refuses and not the load that waits. */
const MANY_CONNECTIONS = 4_000;
const PEAK_AT = [CONNECTIONS, 256];
const TIMES = [1, 2, 3];

export async function measureOverload(bench: Bench): Promise<Findings> {
  const { stage } = bench;
  const api = await stage.startGateway('api');
  const plan = { subject: 'payout', url: stage.gatewayUrl } as const;
  await warmUp(bench, { ...plan, connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
  const peaks: Row[] = [];
  for (const connections of PEAK_AT)
    peaks.push((await measureLoad(bench, `closed loop, ${connections} at once`, { ...plan, connections })).row);
  const peak = Math.max(...peaks.map(({ rate }) => rate));
  const loads: Row[] = [];
  for (const times of TIMES) {
    const rate = Math.round(peak * times);
    const what = `${times} × the peak offered, ${rate}/s`;
    const { row, result } = await measureLoad(bench, what, { ...plan, connections: MANY_CONNECTIONS, rate });
    const notes = `${Math.round((result.shed / (result.sent + result.unsent)) * 100)} % of what was offered was shed`;
    loads.push({ ...row, ratios: { 'of peak': row.rate / peak }, notes });
  }
  await api.stop();
  const curve = (name: string, of: (row: Row) => number) => ({
    name,
    points: loads.map((row, at) => [TIMES[at] ?? 0, of(row)] as const),
  });
  return {
    rows: [...peaks, ...loads],
    curves: {
      goodput: [curve('taken', ({ rate }) => rate / peak), curve('offered', (row) => TIMES[loads.indexOf(row)] ?? 0)],
    },
    figures: {
      peakRate: peak,
      ...Object.fromEntries(loads.map(({ rate }, at) => [`ofPeakAt${TIMES[at]}`, rate / peak])),
      acceptedP99MsAt3: loads.at(-1)?.latencyMs?.p99 ?? 0,
    },
  };
}
