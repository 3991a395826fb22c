/**
 * Several processes under one supervisor and under load: replaced, killed, orphaned, stopped. The tests share them, in this
 * order.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import net from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type GatewayProcess, startGatewayProcess } from '../../support/gateway/gateway-process.ts';
import { type FailedRequest, type PayoutLoad, startLoad } from '../../support/payouts/payout-load.ts';
import { openStressScene, type StressScene } from '../../support/payouts/stress-scene.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/postgres.ts';
import { type Choices, createChoices } from '../../support/tools/seeded.ts';
import { until } from '../../support/tools/until.ts';

const RESTARTS = process.env['TEST_FULL'] ? 10 : 1;
const KILLS = process.env['TEST_FULL'] ? 20 : 1;
const PROCESSES = 2;

const REQUEST = 'GET /nowhere HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';

let choices: Choices;
let database: TestDatabase;
let scene: StressScene;
let gateway: GatewayProcess;
let load: PayoutLoad;

before(async () => {
  choices = createChoices('supervised');
  database = await createTestDatabase();
  scene = await openStressScene({ DATABASE_URL: database.connectionString }, database.config);
  gateway = await start();
});
afterEach(() => load.abandon());
after(async () => {
  await gateway.kill();
  await scene.close();
  await database.close();
});

const start = () => startGatewayProcess(scene.variables, '--processes', String(PROCESSES));

function begin(prefix: string): void {
  load = startLoad({
    merchants: scene.merchants,
    url: () => gateway.url,
    choices,
    clients: 6,
    prefix,
    answeredWithinMs: 30_000,
  });
}

async function children(): Promise<number[]> {
  const { stdout } = await promisify(execFile)('pgrep', ['-P', String(gateway.pid)]);
  return stdout.trim().split('\n').map(Number);
}

/** Reads one metric of the supervisor. */
async function sample(name: string): Promise<number> {
  const text = await (await fetch(`${gateway.opsUrl}/metrics`)).text();
  const [, value] = new RegExp(`^${name}\\{process="supervisor"\\} (\\d+)$`, 'm').exec(text) ?? [];
  return Number(value);
}

/** Resolves to how a request over a separate connection ended. */
function firstEnd(url: string): Promise<'answered' | 'closed'> {
  return new Promise((resolve) => {
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(REQUEST));
    socket.once('data', () => resolve('answered'));
    socket.once('close', () => resolve('closed'));
    socket.on('error', () => {});
  });
}

/** Returns the indexes of the requests that have not ended. */
async function unsettled(ends: readonly Promise<unknown>[]): Promise<readonly number[]> {
  const isSettled = (end: Promise<unknown>) => Promise.race([end.then(() => true), sleep(0, false)]);
  const settled = await Promise.all(ends.map(isSettled));
  return settled.flatMap((is, number) => (is ? [] : [number]));
}

/** Opens connections until a later one gets its response before an earlier one, which a stopped process then holds. */
async function connectUntilOneIsHeld(): Promise<readonly Promise<'answered' | 'closed'>[]> {
  const ends: Promise<'answered' | 'closed'>[] = [];
  for (;;) {
    ends.push(firstEnd(gateway.url));
    await until('all but one are answered', async () => (await unsettled(ends)).length <= 1);
    const [held] = await unsettled(ends);
    if (held !== undefined && held < ends.length - 1) return ends;
  }
}

const allServe = () => until('all serve', async () => (await sample('gateway_processes_serving')) === PROCESSES);

test('no request is lost over kept connections when the supervisor replaces its processes one by one under load', async () => {
  begin('replaced-');
  for (let restart = 0; restart < RESTARTS; restart++) {
    await sleep(choices.between(200, 600));
    const former = await children();
    gateway.signal('SIGHUP');
    await until('all processes are new', async () => {
      const now = await children();
      return now.length === PROCESSES && now.every((pid) => !former.includes(pid));
    });
  }
  await load.stop();
  assert.deepEqual(load.failures(), []);
  assert(load.acknowledged.length > 30, `only ${load.acknowledged.length} payouts were acknowledged`);
  await scene.judge(load.acknowledged);
});

test('the supervisor restarts a killed process and shows each process in its readiness and metrics', async () => {
  begin('killed-');
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(choices.between(200, 600));
    process.kill(choices.oneOf(await children()), 'SIGKILL');
    await until(
      'the supervisor noticed the end of the process',
      async () => (await sample('gateway_processes_died')) === kill + 1,
    );
    await allServe();
  }
  const readiness = await (await fetch(`${gateway.opsUrl}/readyz`)).json();
  assert.deepEqual(readiness, { status: 'ready', processes: { 1: 'ready', 2: 'ready' } });
  await load.stop();
  await scene.judge(load.acknowledged);
  const metrics = await (await fetch(`${gateway.opsUrl}/metrics`)).text();
  for (const name of ['supervisor', '1', '2'])
    assert.equal(metrics.split(`\nprocess_cpu_seconds_total{process="${name}"} `).length, 2, name);
  assert.equal(metrics.split('\n# TYPE gateway_request_seconds histogram\n').length, 2);
});

test('a connection that was handed to a dying process is closed', async () => {
  // The process that responded last accepts the next connection.
  for (let turn = 0; turn < 2 * PROCESSES; turn++) assert.equal(await firstEnd(gateway.url), 'answered');
  const [pid] = await children();
  assert.ok(pid);
  process.kill(pid, 'SIGSTOP');
  // The other process serves its connections; the stopped process holds the connection that it cannot accept.
  const ends = await connectUntilOneIsHeld();
  process.kill(pid, 'SIGKILL');
  await until('the last one is closed', async () => (await unsettled(ends)).length === 0);
  const how = await Promise.all(ends);
  assert.equal(how.filter((end) => end === 'closed').length, 1);
  await allServe();
});

test('the processes of a killed supervisor end and free the port for its successor', async () => {
  begin('orphaned-');
  await sleep(300);
  const orphans = await children();
  await gateway.kill();
  gateway = await start();
  await until('the orphans are gone', () => orphans.every((pid) => !isAlive(pid)));
  await load.stop();
  await scene.judge(load.acknowledged);
});

test('a supervisor that stops under load completes the accepted requests, refuses new connections and leaves no process', async () => {
  begin('stopped-');
  await sleep(500);
  const former = await children();
  await gateway.stop();
  load.abandon();
  assert(former.every((pid) => !isAlive(pid)));
  const { refused = [], reset = [], ...others } = Object.groupBy(load.failures(), howItFailed);
  assert.deepEqual(others, {});
  assert(refused.length > 0);
  // The kernel resets a connection that arrives while the listener closes. No process has read a request from it.
  const answered = new Set(load.acknowledged.map(({ merchant, payoutId }) => `${merchant.id} ${payoutId}`));
  const unread = reset.filter(({ merchantId, payoutId }) => !answered.has(`${merchantId} ${payoutId}`));
  const { rows } = await database.pool.query(
    'select merchant_id, payout_id from payouts join unnest($1::text[], $2::text[]) as u (merchant_id, payout_id) using (merchant_id, payout_id)',
    [unread.map(({ merchantId }) => merchantId), unread.map(({ payoutId }) => payoutId)],
  );
  assert.deepEqual(rows, []);
});

function howItFailed({ reason }: FailedRequest): string {
  if (reason.includes('ECONNREFUSED')) return 'refused';
  return reason.includes('ECONNRESET') ? 'reset' : reason;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
