import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { createManualClock, type ManualClock, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { StartedProcess } from './child-process.ts';
import type { Order, Report } from './process-messages.ts';
import { createSupervisor, type Supervisor } from './supervise.ts';

/** A fake process that the test controls. */
interface Puppet extends StartedProcess {
  readonly name: string;
  readonly orders: Order[];
  report(report: Report): void;
  end(code: number | null, signal?: string): void;
}

let clock: ManualClock;
let puppets: Puppet[];
let events: string[];
let supervisor: Supervisor;

function start(name: string): Puppet {
  const reports: ((report: Report) => void)[] = [];
  const ends: ((code: number | null, signal: string | null) => void)[] = [];
  const orders: Order[] = [];
  const end: Puppet['end'] = (code, signal) => {
    for (const listener of ends) listener(code, signal ?? null);
  };
  const puppet: Puppet = {
    name,
    pid: puppets.length + 1,
    orders,
    send: (order) => void orders.push(order),
    onReport: (listener) => void reports.push(listener),
    onEnd: (listener) => void ends.push(listener),
    kill: () => end(null, 'SIGKILL'),
    report: (report) => {
      for (const listener of reports) listener(report);
    },
    end,
  };
  puppets.push(puppet);
  return puppet;
}

const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
};
const last = () => puppets.at(-1) as Puppet;
const serve = (puppet: Puppet, url = 'http://127.0.0.1:1') => puppet.report({ kind: 'serving', url });
const stops = (puppet: Puppet) => puppet.orders.filter(({ kind }) => kind === 'stop');

async function startAll(): Promise<void> {
  const started = supervisor.start();
  for (let served = 0; served < 2; served++) {
    await settle();
    for (const puppet of puppets.slice(served)) serve(puppet);
  }
  await started;
}

beforeEach(() => {
  clock = createManualClock(0);
  puppets = [];
  events = [];
  const onEvent = (event: { readonly kind: string; readonly name: string }) =>
    void (event.kind !== 'started' && events.push(`${event.kind} ${event.name}`));
  supervisor = createSupervisor({ names: ['1', '2', '3'], start, clock, onEvent });
});

describe('a supervisor', () => {
  it('a supervisor starts the first process alone and then the others', async () => {
    const started = supervisor.start();
    await settle();
    assert.deepEqual(
      puppets.map(({ name }) => name),
      ['1'],
    );
    serve(last(), 'http://127.0.0.1:8080');
    await settle();
    assert.deepEqual(
      puppets.map(({ name }) => name),
      ['1', '2', '3'],
    );
    for (const puppet of puppets.slice(1)) serve(puppet);
    assert.equal(await started, 'http://127.0.0.1:8080');
    assert.deepEqual(supervisor.tally(), { serving: 3, wanted: 3, died: 0 });
  });

  it('a supervisor fails to start when a process ends before it serves, or never serves', async () => {
    const failed = assert.rejects(supervisor.start(), /Process 1 exited before it was ready \(exit code 2\)/);
    await settle();
    last().end(2);
    await failed;
    const late = assert.rejects(supervisor.start(), /SIGKILL/);
    await settle();
    clock.advance(2 * MINUTE_MS);
    await late;
  });

  it('a supervisor restarts a crashed process immediately the first time, and with a growing delay after that', async () => {
    await startAll();
    (puppets[1] as Puppet).end(null, 'SIGSEGV');
    for (const pauseMs of [100, 200, 400]) {
      await settle();
      const before = puppets.length;
      clock.advance(pauseMs - 1);
      await settle();
      assert.equal(puppets.length, before);
      clock.advance(1);
      await settle();
      assert.deepEqual([puppets.length, last().name], [before + 1, '2']);
      last().end(1);
    }
    assert.equal(supervisor.tally().serving, 2);
    await settle();
    for (let tries = 0; tries < 20; tries++) {
      clock.advance(30 * SECOND_MS);
      await settle();
      last().end(1);
      await settle();
    }
    assert(puppets.length >= 3 + 3 + 20, 'it never waits for more than half a minute');
    clock.advance(30 * SECOND_MS);
    await settle();
    serve(last());
    await settle();
    assert.equal(supervisor.tally().serving, 3);
  });

  it('a supervisor replaces one process after the other, each only after its replacement serves', async () => {
    await startAll();
    const replaced = supervisor.replaceAll();
    for (const old of puppets.slice(0, 3)) {
      await settle();
      const next = last();
      assert.equal(next.name, old.name);
      assert.deepEqual(stops(old), []);
      serve(next);
      await settle();
      assert.deepEqual(stops(old), [{ kind: 'stop', replaced: true }]);
      old.end(0);
    }
    await replaced;
    assert.deepEqual(events, ['replaced 1', 'replaced 2', 'replaced 3']);
    assert.deepEqual(supervisor.tally(), { serving: 3, wanted: 3, died: 0 });
  });

  it('a supervisor keeps the serving processes when a replacement fails to start', async () => {
    await startAll();
    const replaced = supervisor.replaceAll();
    await settle();
    last().end(1);
    await replaced;
    assert.deepEqual(events, ['not_replaced 1']);
    assert.equal(puppets.flatMap(stops).length, 0);
    assert.equal(supervisor.tally().serving, 3);
  });

  it('a supervisor starts only one process when the old process dies during its replacement', async () => {
    await startAll();
    void supervisor.replaceAll();
    await settle();
    const [old, next] = [puppets[0] as Puppet, last()];
    old.end(null, 'SIGKILL');
    serve(next);
    await settle();
    clock.advance(30 * SECOND_MS);
    await settle();
    assert.equal(puppets.filter(({ name }) => name === '1').length, 2);
  });

  it('a supervisor stops every process and returns the worst exit code', async () => {
    await startAll();
    const stopped = supervisor.stop();
    await settle();
    for (const puppet of puppets) assert.deepEqual(stops(puppet), [{ kind: 'stop', replaced: false }]);
    puppets[0]?.end(0);
    puppets[1]?.end(0);
    clock.advance(2 * MINUTE_MS);
    assert.equal(await stopped, 1);
    assert.equal(puppets.length, 3, 'nothing is started again');
  });

  it('a supervisor counts a SIGTERM after the stop order as a clean stop', async () => {
    for (const [signal, code] of [
      ['SIGTERM', 0],
      ['SIGSEGV', 1],
    ] as const) {
      puppets = [];
      supervisor = createSupervisor({ names: ['1', '2', '3'], start, clock, onEvent: () => {} });
      await startAll();
      const stopped = supervisor.stop();
      await settle();
      puppets[0]?.end(null, signal);
      for (const puppet of puppets.slice(1)) puppet.end(0);
      assert.equal(await stopped, code, signal);
    }
  });

  it('a supervisor queries every process and returns the responses within the time limit', async () => {
    await startAll();
    const answers = supervisor.ask('readiness');
    await settle();
    for (const puppet of puppets.slice(0, 2)) {
      const [order] = puppet.orders;
      assert(order?.kind === 'ask');
      puppet.report({ kind: 'answer', question: order.question, text: 'ready' });
    }
    clock.advance(2 * SECOND_MS);
    assert.deepEqual(Object.fromEntries(await answers), { 1: 'ready', 2: 'ready' });
  });
});
