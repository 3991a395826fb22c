/** What Adyen's book of transfers keeps over a restart, and what it must never hold. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { startAdyenTransfersUnderTest } from './adyen-transfers-under-test.ts';

function newBookPath(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'adyen-transfers-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'data', 'book.jsonl');
}

describe('a book of transfers on disk', () => {
  it('has what was answered, goes on with what was under way, and knows a repetition', async (t) => {
    const bookPath = newBookPath(t);
    const before = await startAdyenTransfersUnderTest(t, { bookPath });
    const key = { 'idempotency-key': 'the same' };
    const first = await before.submit({}, key);
    await before.close();
    const { clock, inbox } = before;
    const after = await startAdyenTransfersUnderTest(t, { bookPath, clock, inbox });
    assert.deepEqual(await after.submit({}, key), first);
    clock.advance(2_000);
    const { body } = await after.list();
    assert.deepEqual(
      (body['data'] as { status: string }[]).map(({ status }) => status),
      ['booked'],
    );
    assert.equal((await after.control('reset', {})).status, 409);
  });

  it('holds no card number', async (t) => {
    const bookPath = newBookPath(t);
    const adyen = await startAdyenTransfersUnderTest(t, { bookPath });
    await adyen.submit();
    const text = readFileSync(bookPath, 'utf8');
    assert.match(text, /432112\*{6}8765/);
    assert.doesNotMatch(text, /4321123456788765/);
  });
});

describe('the control surface', () => {
  it('empties a book in memory and ends every fault', async (t) => {
    const adyen = await startAdyenTransfersUnderTest(t);
    await adyen.submit();
    await adyen.faults({ funds: 'none' });
    assert.equal((await adyen.faults({ funds: 'some' })).status, 400);
    await adyen.control('reset', {});
    assert.equal((await adyen.summary())['transfers'], 0);
    assert.equal((await adyen.submit()).body['status'], 'authorised');
  });
});
