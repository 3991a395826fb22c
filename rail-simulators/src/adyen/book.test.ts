/** Adyen's book on disk: what it holds before it is answered for, and what goes on after a restart. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { aWhile, eventually, openInbox } from '../kernel/inbox-under-test.ts';
import { ManualClock } from '../manual-clock.ts';
import { card, itemOf, startAdyenUnderTest } from './adyen-under-test.ts';
import { madeUpCard } from './cards.ts';

function newBookPath(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'adyen-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'data', 'adyen.jsonl');
}

describe('a book on disk', () => {
  it('holds a payment before it is answered, and over a restart, without its card', async (t) => {
    const bookPath = newBookPath(t);
    const before = await startAdyenUnderTest(t, { bookPath });
    const numbers = Array.from({ length: 20 }, (_, number) => `order-${number}`);
    await Promise.all(numbers.map((reference) => before.pay({ reference })));
    const text = readFileSync(bookPath, 'utf8');
    assert.match(text, /no money moved/);
    assert.equal(text.match(/"kind":"authorised"/g)?.length, 20);
    assert.doesNotMatch(text, /4111111111111111|737/);
    const summary = await before.summary();
    await before.close();
    const after = await startAdyenUnderTest(t, { bookPath });
    assert.deepEqual(await after.summary(), summary);
    assert.equal((await after.control('reset', {})).status, 409);
  });

  it('never gives one of Adyen’s references twice', async (t) => {
    const bookPath = newBookPath(t);
    const before = await startAdyenUnderTest(t, { bookPath });
    const first = await before.pay();
    await before.close();
    const after = await startAdyenUnderTest(t, { bookPath });
    assert.notEqual((await after.pay()).body['pspReference'], first.body['pspReference']);
  });

  it('tells after a restart what was not accepted, and decides what was pending', async (t) => {
    const bookPath = newBookPath(t);
    const clock = new ManualClock();
    const inbox = await openInbox(t);
    inbox.answer = () => ({ status: 503, body: '' });
    const before = await startAdyenUnderTest(t, { bookPath, clock, inbox });
    await before.pay();
    await before.pay({ reference: 'order-2', paymentMethod: card(madeUpCard('1', '03')) });
    clock.advance(1_000);
    await eventually('it came', () => inbox.received.length === 1);
    await before.close();
    assert.deepEqual(clock.delays(), []);
    inbox.received.length = 0;
    inbox.answer = () => ({ status: 200, body: '[accepted]' });
    const after = await startAdyenUnderTest(t, { bookPath, clock, inbox });
    clock.advance(3_000);
    await eventually('both are authorised', async () => (await after.summary())['authorised'] === 2);
    await eventually('it is to be told', () => clock.delays().includes(1_000));
    clock.advance(1_000);
    await eventually('all is told', async () => (await after.summary())['untold'] === 0);
    assert.deepEqual(inbox.received.map(({ body }) => itemOf(body)['merchantReference']).sort(), [
      'order-1',
      'order-2',
    ]);
  });

  it('leaves no timer behind when Adyen closes', async (t) => {
    const adyen = await startAdyenUnderTest(t);
    await adyen.control('faults', { webhooks: 'late' });
    await adyen.pay();
    await adyen.pay({ reference: 'order-2', paymentMethod: card(madeUpCard('1', '03')) });
    adyen.clock.advance(1_000);
    await adyen.close();
    await aWhile();
    assert.deepEqual(adyen.clock.delays(), []);
  });
});
