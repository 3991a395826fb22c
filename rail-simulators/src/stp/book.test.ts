/** STP's book on disk: what it holds before it is answered for, and what goes on after a restart. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { aWhile, eventually, openInbox } from '../kernel/inbox-under-test.ts';
import { ManualClock } from '../manual-clock.ts';
import { confirming, confirmingInbox, givingBack, receiving, startStpUnderTest } from './stp-under-test.ts';

function newBookPath(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'stp-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'data', 'stp.jsonl');
}

describe('a book on disk', () => {
  it('holds a payment and an order before they are answered, and over a restart', async (t) => {
    const bookPath = newBookPath(t);
    const abonos = await confirmingInbox(t);
    const before = await startStpUnderTest(t, { bookPath, abonos });
    const payments = Array.from({ length: 20 }, (_, number) => before.pay({ claveRastreo: `P${number}` }));
    const orders = Array.from({ length: 20 }, (_, number) => before.register({ claveRastreo: `GW${number}` }));
    await Promise.all([...payments, ...orders]);
    const lines = readFileSync(bookPath, 'utf8').trim().split('\n');
    assert.match(lines[0] ?? '', /no money moved/);
    assert.equal(lines.filter((line) => /"kind":"(?:received|order_taken)"/.test(line)).length, 40);
    await eventually('all are confirmed', async () => (await before.summary())['confirmed'] === 20);
    const summary = await before.summary();
    await before.close();
    const after = await startStpUnderTest(t, { bookPath, abonos });
    assert.deepEqual(await after.summary(), summary);
    assert.equal((await after.pay({ claveRastreo: 'P7' })).status, 409);
    assert.deepEqual((await after.register({ claveRastreo: 'GW7' })).body['resultado'], {
      id: -1,
      descripcionError: 'La clave de rastreo {GW7} para la fecha {20260101} de la institucion {90646} ya fue utilizada',
    });
    assert.equal((await after.control('reset', {})).status, 409);
  });

  it('tells again, after a restart, what was never confirmed, and nothing that was', async (t) => {
    const bookPath = newBookPath(t);
    const abonos = await openInbox(t);
    abonos.answer = ({ body }) => (body['claveRastreo'] === 'P1' ? { status: 503, body: '' } : confirming());
    const before = await startStpUnderTest(t, { bookPath, abonos });
    for (const claveRastreo of ['P1', 'P2']) await before.pay({ claveRastreo });
    await eventually('one is confirmed', async () => (await before.summary())['confirmed'] === 1);
    await before.close();
    abonos.received.length = 0;
    abonos.answer = confirming;
    const after = await startStpUnderTest(t, { bookPath, abonos });
    await eventually('both are confirmed', async () => (await after.summary())['confirmed'] === 2);
    await aWhile();
    assert.deepEqual(
      abonos.received.map(({ body }) => body['claveRastreo']),
      ['P1'],
    );
  });

  it('goes on, after a restart, with orders and returns that were under way, each at its own time', async (t) => {
    const bookPath = newBookPath(t);
    const clock = new ManualClock();
    const abonos = await openInbox(t);
    abonos.answer = givingBack;
    const states = await openInbox(t);
    states.answer = receiving;
    const before = await startStpUnderTest(t, { bookPath, clock, abonos, states });
    await before.pay();
    await eventually('the return is due', () => clock.delays()[0] === 3_000);
    await before.register();
    clock.advance(500);
    await before.close();
    assert.deepEqual(clock.delays(), []);
    const after = await startStpUnderTest(t, { bookPath, clock, abonos, states });
    assert.deepEqual(clock.delays(), [1_500, 2_500]);
    clock.advance(2_500);
    await eventually('both have happened', async () => {
      const { given_back, orders_settled } = await after.summary();
      return given_back === 1 && orders_settled === 1;
    });
    await eventually('the state is told', () => states.received.length === 1);
  });

  it('leaves no timer behind when STP closes', async (t) => {
    const stp = await startStpUnderTest(t);
    stp.abonos.answer = () => ({ status: 500, body: '' });
    await stp.pay();
    await stp.pay({ behaviour: 'late' });
    await stp.register();
    await eventually('all wait', () => stp.clock.delays().join() === '500,2000,10000');
    await stp.close();
    await aWhile();
    assert.deepEqual(stp.clock.delays(), []);
  });
});
