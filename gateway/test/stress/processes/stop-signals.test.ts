/**
 * A shutdown happens once, however many processes receive the signal and however often: a service manager signals all
 * processes at the same time, npx forwards a signal, and a user presses Ctrl-C twice. The gateway responds to a request whose
 * body has not arrived, and exits with code 0.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, afterEach, before, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from '../../../src/foundation/variables.ts';
import { freePort, MASTER_KEY } from '../../support/gateway/running-gateway.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/postgres.ts';
import { until, within } from '../../support/tools/until.ts';

const PATIENCE_MS = 60_000;
const BIN = join(PROJECT_ROOT, 'gateway/bin/gateway.mjs');
const HEAD =
  'POST /payment/balance HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n';
/** The response to the request head: the gateway has read it and waits for the body. */
const IS_READ = 'HTTP/1.1 100 Continue\r\n\r\n';
const BODY = '{}';
/** A time longer than that in which the gateway treats a second Ctrl-C as the first. */
const LATER_STOP_MS = 2_500;
/** The time in which the gateway treats a second Ctrl-C as the first. */
const COUNTS_AS_SAME_MS = 2_000;
/** A time slightly shorter than the gateway waits for a body. */
const BODY_WITHIN_MS = 9_000;
const SLOW_ROUNDS = 10;
/** A time well within that period, but longer than the launcher waits before it forwards a second Ctrl-C. */
const SAME_STOP_MS = 800;

let database: TestDatabase;
let port: number;
/** Every process that a test started, so that the hook can kill it after a failure. */
let pids: readonly number[] = [];

before(async () => {
  database = await createTestDatabase();
});
afterEach(() => {
  for (const pid of pids) kill(pid, 'SIGKILL');
});
after(() => database.close());

/**
 * Resolves once the gateway serves. It has a separate process group, so that the test signals only the processes that it
 * chooses.
 */
async function start(command: string, ...args: string[]) {
  port = await freePort();
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const env = {
    PATH,
    HOME,
    NODE_COMPILE_CACHE,
    DATABASE_URL: database.connectionString,
    GATEWAY_MASTER_KEY: MASTER_KEY,
  };
  const child = spawn(command, args, {
    cwd: PROJECT_ROOT,
    env: { ...env, PORT: String(port), METRICS_PORT: '0', MANAGE_PORT: '0', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  await until('it serves', async () => (await answers()) || child.exitCode !== null);
  const pid = child.pid ?? 0;
  pids = [pid, ...(await descendants(pid))];
  return { pid, ended: within(PATIENCE_MS, 'its end', ended) };
}

const answers = () =>
  fetch(`http://127.0.0.1:${port}/healthz`).then(
    (response) => response.ok,
    () => false,
  );

/** A stopping gateway accepts no new connection but continues to serve the open ones. */
const stopBegins = () => until('the stop begins', async () => !(await answers()));

/** Returns children, grandchildren and so on. */
async function descendants(pid: number): Promise<number[]> {
  const found = await promisify(execFile)('pgrep', ['-P', String(pid)]).then(
    ({ stdout }) => stdout.trim().split('\n').map(Number),
    () => [],
  );
  return [...found, ...(await Promise.all(found.map(descendants))).flat()];
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already ended.
  }
}

/** Sends the head of a request without its body, and waits until the gateway has read it. */
async function beginRequest() {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  socket.write(HEAD);
  await until('the head is read', () => text === IS_READ);
  return {
    socket,
    /** Returns the complete response, or an empty string if the connection was closed without one. */
    async finish(): Promise<string> {
      socket.write(BODY);
      await within(PATIENCE_MS, 'the answer', closed);
      return text.slice(IS_READ.length);
    },
  };
}

/** Repeats a test that resolves to false because the machine was too slow for the gateway's own deadlines. */
async function untilFastEnough(story: () => Promise<boolean>): Promise<void> {
  for (let round = 1; !(await story()); round++) assert(round < SLOW_ROUNDS, 'the machine is too slow to judge');
}

if (process.env['TEST_FULL'])
  it('SIGTERM to all processes of serve --processes 2 stops them once, after their responses, with exit code 0', async () => {
    const { ended } = await start(process.execPath, BIN, 'serve', '--processes', '2');
    const request = await beginRequest();
    for (const each of pids) kill(each, 'SIGTERM');
    await stopBegins();
    assert.match(await request.finish(), /^HTTP\/1\.1 200 /);
    assert.deepEqual(await ended, [0, null]);
    assert.equal(await answers(), false);
  });

it('SIGTERM to all processes stops a supervisor and a starting process, and the serving process still sends its responses', async () => {
  const { pid, ended } = await start(process.execPath, BIN, 'serve', '--processes', '2');
  await until('the second process has begun', async () => {
    pids = [pid, ...(await descendants(pid))];
    return pids.length >= 4;
  });
  const request = await beginRequest();
  for (const each of pids) kill(each, 'SIGTERM');
  await stopBegins();
  assert.match(await request.finish(), /^HTTP\/1\.1 200 /);
  assert.deepEqual(await ended, [0, null]);
  await until('every process has ended', async () => !pids.some(isAlive));
  assert.equal(await answers(), false);
});

it('concurrent and repeated SIGTERM to the launcher and the gateway stops serve once, after its responses, with exit code 0', () =>
  untilFastEnough(async () => {
    const { ended } = await start(process.execPath, BIN, 'serve');
    assert.equal(pids.length, 2, 'the launcher and the gateway');
    const startedAt = performance.now();
    const request = await beginRequest();
    for (const each of pids) kill(each, 'SIGTERM');
    await stopBegins();
    await sleep(LATER_STOP_MS);
    for (const each of pids) kill(each, 'SIGTERM');
    const wasSlow = performance.now() - startedAt > BODY_WITHIN_MS;
    const answer = await request.finish();
    assert.deepEqual(await ended, [0, null]);
    if (wasSlow) return false;
    assert.match(answer, /^HTTP\/1\.1 200 /);
    return true;
  }));

it('a second Ctrl-C ends the gateway immediately only when it comes seconds after the first', () =>
  untilFastEnough(async () => {
    const { pid, ended } = await start(process.execPath, BIN, 'serve');
    const request = await beginRequest();
    let closedAt = Number.POSITIVE_INFINITY;
    request.socket.once('close', () => {
      closedAt = performance.now();
    });
    const firstAt = performance.now();
    kill(pid, 'SIGINT');
    await sleep(SAME_STOP_MS);
    kill(pid, 'SIGINT');
    await stopBegins();
    await sleep(LATER_STOP_MS);
    const wasSlow = request.socket.destroyed && closedAt - firstAt > COUNTS_AS_SAME_MS;
    if (!wasSlow) assert.equal(request.socket.destroyed, false);
    kill(pid, 'SIGINT');
    assert.deepEqual(await ended, [1, null]);
    return !wasSlow;
  }));

/** Each signal requires another start of npx. */
for (const signal of process.env['TEST_FULL'] ? (['SIGTERM', 'SIGKILL'] as const) : (['SIGTERM'] as const)) {
  it(`${signal} to npx gateway serve stops the gateway, which completes its request and frees its port`, async () => {
    const { pid } = await start('npx', 'gateway', 'serve');
    const request = await beginRequest();
    kill(pid, signal);
    await stopBegins();
    assert.match(await request.finish(), /^HTTP\/1\.1 200 /);
    await until('every process has ended', async () => !pids.some(isAlive));
    assert.equal(await answers(), false);
  });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
