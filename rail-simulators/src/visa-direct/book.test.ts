/** What Visa's book keeps over a restart, and what it must never hold. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startVisaDirectUnderTest, temporaryFolder } from './visa-direct-under-test.ts';

describe('Visa’s book on disk', () => {
  it('knows a repetition after a restart, ends what was under way, and holds no card number', async (t) => {
    const bookPath = join(temporaryFolder(t), 'book.jsonl');
    const before = await startVisaDirectUnderTest(t, { bookPath });
    await before.control('faults', { timing: 'late_json' });
    await before.push();
    await before.close();
    const { clock, folder } = before;
    const after = await startVisaDirectUnderTest(t, { bookPath, clock, certificateFolder: folder });
    assert.equal((await after.push()).status, 303);
    clock.advance(5_000);
    assert.equal((await after.push()).json['originalActionCode'], '00');
    assert.equal((await after.control('reset', {})).status, 409);
    const text = readFileSync(bookPath, 'utf8');
    assert.match(text, /406032\*{6}0127/);
    assert.doesNotMatch(text, /4060320000000127/);
  });

  it('in memory is emptied from outside, with every fault', async (t) => {
    const visa = await startVisaDirectUnderTest(t);
    await visa.push();
    assert.equal((await visa.control('faults', { action_code: 'no' })).status, 400);
    await visa.control('faults', { action_code: '51' });
    await visa.control('reset', {});
    assert.equal((await visa.summary())['transactions'], 0);
    assert.equal((await visa.push()).json['actionCode'], '00');
  });
});
