/** What is measured of payouts: how fast they are accepted, brought to an end, and told of. */
import { type LoadResult, monotonicMs, runLoad } from './http-load.ts';
import {
  type Bench,
  CONNECTIONS,
  countOf,
  load,
  loadRow,
  MOST_PER_SECOND,
  measureAnswers,
  noteOf,
  type Row,
  type Subject,
  untilDone,
} from './measure.ts';
import { isAccepted, signedPayouts } from './signed-payouts.ts';
import { ACCEPT_FLOOR } from './sql-floors.ts';

const ACCEPT: Subject = { name: 'accept', requests: signedPayouts, isGood: isAccepted, sqlFloor: ACCEPT_FLOOR };

/** Payouts answered after their commit. */
export function measureAccept(bench: Bench): Promise<Row[]> {
  return measureAnswers(bench, ACCEPT);
}

/** From accepted to final with its callback accepted, everything on this machine. `accept`: what it is held against. */
export async function measureDrain(bench: Bench, accept: number): Promise<Row[]> {
  const { stage } = bench;
  const { database } = stage.gateway.core;
  const banks = await stage.startBanks();
  const receiver = await stage.startReceiver();
  const api = await stage.startGateway('api');
  const accepted = await load({ ...bench, seconds: 2 }, ACCEPT, stage.gatewayUrl, CONNECTIONS);
  await api.stop();
  const waiting = await countOf(
    database,
    `select count(*)::int as count from payout_jobs where rail = 'stand-in-bank'`,
  );
  bench.onProgress(`drain, ${waiting} payouts waiting`);
  const startedAt = monotonicMs();
  const worker = await stage.startGateway('worker');
  await untilDone(async () => {
    const open = `select (select count(*) from payout_jobs where rail = 'stand-in-bank')::int + (select count(*) from callbacks where state = 'due')::int as count`;
    const left = await countOf(database, open);
    bench.onProgress(`drain, ${left} steps left`);
    return left === 0;
  });
  const elapsedMs = monotonicMs() - startedAt;
  await Promise.all([worker.stop(), banks.stop(), receiver.stop()]);
  const rate = (waiting / elapsedMs) * 1_000;
  const notes = `${waiting} payouts in ${(elapsedMs / 1_000).toFixed(1)} s, worker's start included; ${noteOf(accepted)}`;
  return [{ what: 'drain', rate, ratios: { 'of accept': rate / accept }, notes }];
}

/** Delivery alone: the callbacks of final payouts, due at once. Held against the same requests without the gateway. */
export async function measureCallbacks(bench: Bench): Promise<Row[]> {
  const { stage } = bench;
  const { database } = stage.gateway.core;
  const banks = await stage.startBanks();
  const receiver = await stage.startReceiver();
  bench.onProgress('callbacks, the receiver floor: requests of the same kind, nothing recorded');
  const floor = await measureReceiverFloor(bench);
  await database.query(
    `update callbacks set state = 'due', due_at = now(), finished_at = null where state = 'delivered'`,
  );
  await database.query(`update callback_lanes set due_at = now()`);
  const due = await countOf(database, `select count(*)::int as count from callbacks where state = 'due'`);
  bench.onProgress(`callbacks, ${due} due`);
  const startedAt = monotonicMs();
  const worker = await stage.startGateway('worker');
  await untilDone(async () => {
    const left = await countOf(database, `select count(*)::int as count from callbacks where state = 'due'`);
    bench.onProgress(`callbacks, ${left} left`);
    return left === 0;
  });
  const elapsedMs = monotonicMs() - startedAt;
  await Promise.all([worker.stop(), banks.stop(), receiver.stop()]);
  const rate = (due / elapsedMs) * 1_000;
  const notes = `${due} callbacks in ${(elapsedMs / 1_000).toFixed(1)} s, worker's start included`;
  return [
    loadRow('callbacks, receiver floor', floor),
    { what: 'callbacks', rate, ratios: { 'of receiver floor': rate / floor.rate }, notes },
  ];
}

function measureReceiverFloor({ stage: { receiverUrl }, seconds }: Bench): Promise<LoadResult> {
  const body = 'merchant=bench-1&payout_id=B1&status=Success&code=0&description=Completed&amount=1.00&currency=EUR';
  const head = `POST / HTTP/1.1\r\nHost: ${receiverUrl.host}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n`;
  return runLoad({
    url: receiverUrl,
    requests: new Array(seconds * MOST_PER_SECOND * 2).fill(Buffer.from(head + body)),
    connections: CONNECTIONS,
    durationMs: seconds * 1_000,
    isGood: (status, answer) => status === 200 && answer === 'OK',
  });
}
