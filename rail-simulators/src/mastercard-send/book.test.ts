/** What Mastercard's book keeps over a restart, and what it must never hold. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startMastercardSendUnderTest } from './mastercard-send-under-test.ts';

describe('Mastercard’s book on disk', () => {
  it('knows a reference after a restart, ends what was under way, and holds no card number', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'mastercard-send-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const bookPath = join(folder, 'book.jsonl');
    const before = await startMastercardSendUnderTest(t, { bookPath });
    await before.control('faults', { disbursements: 'unknown_then_approve' });
    await before.submit();
    await before.close();
    const { clock } = before;
    const after = await startMastercardSendUnderTest(t, { bookPath, clock });
    assert.equal((await after.submit()).status, 409);
    clock.advance(20_000);
    assert.equal((await after.summary())['approved'], 1);
    assert.equal((await after.control('reset', {})).status, 409);
    const text = readFileSync(bookPath, 'utf8');
    assert.match(text, /\*{12}0018/);
    assert.doesNotMatch(text, /5013040000000018/);
  });

  it('in memory is emptied from outside, with every fault', async (t) => {
    const mastercard = await startMastercardSendUnderTest(t);
    await mastercard.submit();
    assert.equal((await mastercard.control('faults', { disbursements: 'no' })).status, 400);
    await mastercard.control('faults', { answers: 'take_500' });
    await mastercard.control('reset', {});
    assert.equal((await mastercard.summary())['disbursements'], 0);
    assert.equal((await mastercard.submit()).status, 201);
  });
});
