import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadWords } from '../../../words/translation.ts';
import { translateFault } from './row-faults.ts';

const SOURCES = [
  'gateway/src/protocol/manage/handlers/new-payouts.ts',
  'gateway/src/domain/batches/work-on-batch.ts',
].map((path) => readFileSync(join(import.meta.dirname, '../../../../..', path), 'utf8'));

/** The texts that the gateway writes for rows, with an example for each varying part. */
const [rejections = '', rows = ''] = SOURCES;
const table = rejections.slice(rejections.indexOf('const REJECTIONS'));
const DETAILS = [
  ...[...table.matchAll(/\['[\w-]+', '([^']+)'/g)].map(([, text = '']) => text),
  ...[...rejections.matchAll(/`([^`]*\$\{field\} is [^`]*)`/g)].map(([, text = '']) => text),
  ...[...rows.matchAll(/[`']([^`'\n]*(?:payout_id|same content)\.)[`']/g)].map(([, text = '']) => text),
].map((text) => text.replace(/\$\{\w+\}/g, '7'));

describe('the errors in the rows of a batch', () => {
  for (const language of ['uk', 'kk'] as const)
    it(`each text that the gateway writes has a translation to ${language}`, async () => {
      const words = await loadWords(language);
      assert.equal(DETAILS.length, 12);
      for (const detail of DETAILS)
        assert.match(translateFault(detail, words), /^(?!.*[a-z]{3} [a-z]{2}).*[а-яіқө]/i, detail);
      assert.match(translateFault('Payout P-7 of the last 24 hours has the same content.', words), /P-7/);
    });

  it('an error text without a translation stays unchanged', async () => {
    assert.equal(translateFault('The row has too many cells.', await loadWords('uk')), 'The row has too many cells.');
  });
});
