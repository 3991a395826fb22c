/** Compares a load on one merchant with the same load spread over a thousand and over ten thousand merchants. */
import type { Bench, Findings, Row } from '../measure/bench.ts';
import { measureLoad, warmUp } from '../measure/measure-load.ts';
import { meanOf } from '../measure/statistics.ts';
import { prepareMerchants } from '../stage/bench-merchants.ts';
import { CONNECTIONS } from './usual.ts';

const EVEN = 1_000;
const MANY = 10_000;
/** The time is long enough to send a request for each merchant. */
const WARM_UP_SECONDS: Readonly<Record<number, number>> = { 1: 3, [EVEN]: 3, [MANY]: 10 };
const IN_TURN = [EVEN, 1, EVEN, 1, MANY];

export async function measureMerchants(bench: Bench): Promise<Findings> {
  const { stage, onProgress } = bench;
  onProgress(`merchants: ${MANY} are made`);
  await prepareMerchants(stage.gateway, stage.receiverUrl.href, MANY);
  const api = await stage.startGateway('api');
  const found: { merchants: number; row: Row }[] = [];
  for (const merchants of IN_TURN) {
    const plan = { subject: 'payout', url: stage.gatewayUrl, connections: CONNECTIONS, merchants } as const;
    await warmUp(bench, { ...plan, seconds: WARM_UP_SECONDS[merchants] ?? 0 });
    const what = merchants === 1 ? 'one merchant' : `${merchants} merchants`;
    found.push({ merchants, row: (await measureLoad(bench, what, plan)).row });
  }
  await api.stop();
  const rateOf = (merchants: number) =>
    meanOf(found.filter((one) => one.merchants === merchants).map(({ row }) => row.rate));
  const even = rateOf(EVEN);
  return {
    rows: found.map(({ merchants, row }) =>
      merchants === EVEN ? row : { ...row, ratios: { 'of even': row.rate / even } },
    ),
    figures: {
      evenRate: even,
      hotRate: rateOf(1),
      hotOfEven: rateOf(1) / even,
      tenThousandOfEven: rateOf(MANY) / even,
    },
  };
}
