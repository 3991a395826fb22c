/**
 * Measures how much record keeping slows payouts: the request log, one audited action per second, and the balances and volumes
 * of closed hours. Gateways with and without these records alternate on one database, so that drift of the machine affects
 * both.
 */
import type { FastifyInstance } from 'fastify';
import { closeHours } from '../../src/domain/ledger/close-hours.ts';
import { type Clock, HOUR_MS, SECOND_MS, systemClock } from '../../src/foundation/clock.ts';
import { emergencyCaller } from '../../src/main/manage-transport.ts';
import type { Bench, Findings, Row } from '../measure/bench.ts';
import { measureLoad, warmUp } from '../measure/measure-load.ts';
import { stepsOpen } from '../measure/queues.ts';
import { medianOf } from '../measure/statistics.ts';
import { beginUsage } from '../measure/usage.ts';
import { numberOf } from '../stage/admin-client.ts';
import { merchantOf } from '../stage/bench-merchants.ts';
import { freePorts } from '../stage/free-ports.ts';
import { urlAt } from '../stage/programs.ts';
import { drainQueue, ownCpuOf } from './drain.ts';
import { CONNECTIONS, halfOf, WARM_UP_SECONDS } from './usual.ts';

const ROUNDS = 6;
const PRELOAD = new URL('../stage/without-records.ts', import.meta.url).href;

type SideName = 'without' | 'with';

interface Side {
  readonly name: SideName;
  readonly url: URL;
  readonly variables: Readonly<Record<string, string>>;
}

type Round = Readonly<Record<SideName, { readonly accept: Row; readonly drain: Row }>>;

export async function measureRecords(bench: Bench): Promise<Findings> {
  const { stage } = bench;
  const [port = 0] = await freePorts(1);
  const without = { PORT: String(port), NODE_OPTIONS: `--import=${PRELOAD}` };
  const sides: readonly Side[] = [
    { name: 'without', url: urlAt(port), variables: without },
    { name: 'with', url: stage.gatewayUrl, variables: {} },
  ];
  const management = await stage.gateway.manageApi({
    caller: emergencyCaller('bench', undefined),
    onInternalError: () => {},
  });
  const others = [await stage.startBanks(), await stage.startReceiver()];
  for (const { url, variables } of sides) {
    others.push(await stage.startGateway('api', variables));
    await warmUp(bench, { subject: 'payout', url, connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
  }
  await drainQueue(bench, 'records: the payouts of the warm-up', () => stepsOpen(stage));
  // Close the earlier hours first, so that closing the measured hour costs as much as any later hour.
  await close(bench, systemClock);
  const rounds: Round[] = [];
  for (let at = 1; at <= ROUNDS; at++) {
    const round: Partial<Record<SideName, Round[SideName]>> = {};
    for (const side of at % 2 === 0 ? sides.toReversed() : sides) {
      const end = side.name === 'with' ? actEachSecond(management) : async () => {};
      round[side.name] = await measureSide(bench, side, `records: ${side.name}, round ${at}`);
      await end();
    }
    rounds.push(round as Round);
  }
  const closingMicros = await closeAll(bench);
  await management.close();
  await Promise.all(others.map((process) => process.stop()));
  const rows = rounds.flatMap(({ without: one, with: other }) => [one.accept, other.accept, one.drain, other.drain]);
  return { rows, figures: figuresOf(rounds, closingMicros) };
}

async function measureSide(bench: Bench, { url, variables }: Side, what: string): Promise<Round[SideName]> {
  const { row: accept } = await measureLoad(bench, `${what}, accept`, {
    subject: 'payout',
    url,
    connections: CONNECTIONS,
    seconds: halfOf(bench),
  });
  const left = () => stepsOpen(bench.stage);
  return {
    accept,
    drain: await drainQueue(bench, `${what}, drain`, left, () => bench.stage.startGateway('worker', variables)),
  };
}

/** Performs an action each second. Returns a function that stops it. */
function actEachSecond(management: FastifyInstance): () => Promise<void> {
  const end = new AbortController();
  const act = async () => {
    while (!end.signal.aborted) {
      const key = String(systemClock.now());
      const { statusCode, body } = await management.inject({
        method: 'POST',
        url: `/manage/v1/merchants/${merchantOf(0, 1)}/credits`,
        headers: { 'idempotency-key': `bench-${key}` },
        payload: { currency: 'UAH', amount: '1.00', reference: `bench-${key}`, reason: 'a benchmark' },
      });
      if (statusCode !== 200) throw new Error(`an action was answered ${statusCode}: ${body}`);
      await systemClock.sleep(SECOND_MS, end.signal);
    }
  };
  const acting = act();
  return () => {
    end.abort();
    return acting;
  };
}

/** Closes the measured hour as if it were over. Returns the database's CPU time per payout. */
async function closeAll(bench: Bench): Promise<number> {
  const { stage, onProgress } = bench;
  onProgress('records: close the hours');
  const count = await numberOf(
    stage.admin,
    `select count(*) from payouts as p left join ledger_closings as c using (merchant_id)
     where p.accepted_at >= coalesce(c.closed_until, '-infinity')`,
  );
  const endUsage = await beginUsage(stage);
  await close(bench, { ...systemClock, now: () => systemClock.now() + 2 * HOUR_MS });
  return ((await endUsage()).cpuMicros.postgres ?? 0) / count;
}

async function close({ stage }: Bench, clock: Clock): Promise<void> {
  const parts = { store: stage.gateway.core.closings, clock, clockDifference: async () => 0, statementLimitMs: 0 };
  await closeHours(parts, new AbortController().signal);
}

/** Each ratio is at most 1 if records have a cost. Closing the hours is included in the drain. */
function figuresOf(rounds: readonly Round[], closingMicros: number): Record<string, number> {
  const median = (of: (round: Round) => number) => medianOf(rounds.map(of));
  return {
    acceptOfWithout: median((round) => round.with.accept.rate / round.without.accept.rate),
    acceptCpuOfWithout: median((round) => ownCpuOf(round.without.accept) / ownCpuOf(round.with.accept)),
    drainOfWithout: median((round) => round.with.drain.rate / round.without.drain.rate),
    drainCpuOfWithout: median((round) => ownCpuOf(round.without.drain) / (ownCpuOf(round.with.drain) + closingMicros)),
    acceptCpuMicros: median((round) => ownCpuOf(round.with.accept)),
    drainCpuMicros: median((round) => ownCpuOf(round.with.drain)),
    closingCpuMicros: closingMicros,
  };
}
