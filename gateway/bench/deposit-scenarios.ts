/** What is measured of deposits: how fast they are created, and how long it is from a payer's money to the merchant's callback. */
import { abonosFor, isConfirmed } from './abonos.ts';
import { type Latency, type LoadResult, latencyOf, monotonicMs, runLoad } from './http-load.ts';
import {
  type Bench,
  CONNECTIONS,
  countOf,
  load,
  loadRow,
  measureAnswers,
  measureFloors,
  noteOf,
  type Row,
  type Subject,
  untilDone,
} from './measure.ts';
import { isCreated, signedDeposits } from './signed-deposits.ts';
import { CREATE_DEPOSIT_FLOOR, RECEIPT_FLOOR } from './sql-floors.ts';

const CREATE: Subject = {
  name: 'create deposit',
  requests: signedDeposits,
  isGood: isCreated,
  sqlFloor: CREATE_DEPOSIT_FLOOR,
};

/** Deposits answered after their commit. */
export function measureCreate(bench: Bench): Promise<Row[]> {
  return measureAnswers(bench, CREATE);
}

/** To the floors any CLABE of ours will do: nothing is behind them. */
const ABONO: Subject = {
  name: 'abono',
  requests: (url, count) => abonosFor(url, new Array<string>(count).fill('646180499000000003')),
  isGood: isConfirmed,
  sqlFloor: RECEIPT_FLOOR,
};

const WARM_UP_SECONDS = 3;
/** More than are received, so that a load seldom ends for want of deposits; each is paid once. */
const MOST_ABONOS_PER_SECOND = 3_000;

/**
 * From the abono that leaves the bank to its callback accepted by the merchant, through one gateway that does
 * everything, and everything on this machine.
 */
export async function measureAbonoToCallback(bench: Bench): Promise<Row[]> {
  const { stage, seconds, onProgress } = bench;
  const floors = await measureFloors(bench, ABONO);
  const banks = await stage.startBanks();
  const gateway = await stage.startGateway('all');
  const receiver = await stage.startReceiver();
  const waiting = await openDeposits(bench, (seconds * 2 + WARM_UP_SECONDS) * MOST_ABONOS_PER_SECOND);
  const take = (wanted: number) => waiting.splice(0, wanted);
  onProgress('abono to callback, warming up');
  await payAll({ ...bench, seconds: WARM_UP_SECONDS }, take(WARM_UP_SECONDS * MOST_ABONOS_PER_SECOND));
  onProgress(`abono to callback, ${CONNECTIONS} at once`);
  const many = await payAll(bench, take(seconds * MOST_ABONOS_PER_SECOND));
  const fixed = Math.round(many.toCallback.rate / 2);
  onProgress(`abono to callback, open loop at ${fixed}/s`);
  const open = await payAll(bench, take(seconds * fixed), fixed);
  await Promise.all([gateway.stop(), banks.stop()]);
  await receiver.stop();
  return [
    ...floors.rows,
    loadRow(`abono answered, ${CONNECTIONS} at once`, many.answered, floors.ratios(many.answered.rate)),
    callbackRow(`abono to callback, ${CONNECTIONS} at once`, many, floors.ratios(many.toCallback.rate)),
    loadRow(`abono answered, open loop ${fixed}/s`, open.answered),
    callbackRow(`abono to callback, open loop ${fixed}/s`, open),
  ];
}

interface OpenDeposit {
  readonly clabe: string;
  readonly transactionId: string;
}

/** At least `wanted` that nobody has paid, in the order of their making: merchants in turn. */
async function openDeposits(bench: Bench, wanted: number): Promise<OpenDeposit[]> {
  const { stage, onProgress } = bench;
  const { database } = stage.gateway.core;
  const there = await countOf(database, `select count(*)::int as count from deposits where state = 'pending'`);
  onProgress(`abono to callback, ${Math.max(0, wanted - there)} more deposits to be paid`);
  if (there < wanted) {
    const missing: Subject = { ...CREATE, requests: (url) => signedDeposits(url, wanted - there) };
    const { good } = await load({ ...bench, seconds: 60 }, missing, stage.gatewayUrl, CONNECTIONS);
    if (there + good < wanted) throw new Error('the deposits to be paid could not be created in a minute');
  }
  const rows = await database.query<{ clabe: string; transaction_id: bigint }>(
    `select pay_to as clabe, transaction_id from deposits where state = 'pending' order by transaction_id limit $1`,
    [wanted],
  );
  return rows.map((row) => ({ clabe: row.clabe, transactionId: String(row.transaction_id) }));
}

interface Paid {
  readonly answered: LoadResult;
  readonly toCallback: { readonly rate: number; readonly latencyMs: Latency; readonly repeated: number };
}

/** Pays the deposits, and waits until the merchants were told of each. */
async function payAll(bench: Bench, deposits: readonly OpenDeposit[], rate?: number): Promise<Paid> {
  const { stage, seconds, onProgress } = bench;
  const url = stage.gatewayUrl;
  const sentAt = new Map<string, number>();
  const before = await stage.callbacksReceived();
  const startedAt = monotonicMs();
  const answered = await runLoad({
    url,
    requests: abonosFor(
      url,
      deposits.map(({ clabe }) => clabe),
    ),
    connections: rate === undefined ? CONNECTIONS : CONNECTIONS * 2,
    durationMs: seconds * 1_000,
    isGood: isConfirmed,
    onGood: (index, at) => sentAt.set(deposits[index]?.transactionId ?? '', at),
    ...(rate === undefined ? {} : { rate }),
  });
  const { database } = stage.gateway.core;
  await untilDone(async () => {
    const left = await countOf(database, `select count(*)::int as count from callbacks where state = 'due'`);
    onProgress(`abono to callback, ${left} callbacks left`);
    return left === 0;
  });
  const after = await stage.callbacksReceived();
  const arrivedAt = new Map(after.arrivals.map(([id, at]) => [id.split('_')[1] ?? '', at]));
  const times = [...sentAt].map(([transactionId, sent]) => {
    const arrived = arrivedAt.get(transactionId);
    if (arrived === undefined) throw new Error(`the deposit ${transactionId} was paid and its callback never came`);
    return { sent, arrived };
  });
  const lastAt = times.reduce((last, { arrived }) => Math.max(last, arrived), startedAt);
  return {
    answered,
    toCallback: {
      rate: (times.length / (lastAt - startedAt)) * 1_000,
      latencyMs: latencyOf(times.map(({ sent, arrived }) => arrived - sent)),
      repeated: after.requests - before.requests - (after.arrivals.length - before.arrivals.length),
    },
  };
}

function callbackRow(what: string, { answered, toCallback }: Paid, ratios: Row['ratios'] = {}): Row {
  const { rate, latencyMs, repeated } = toCallback;
  return { what, rate, ratios, latencyMs, notes: `${noteOf(answered)}; ${repeated} callbacks came twice` };
}
