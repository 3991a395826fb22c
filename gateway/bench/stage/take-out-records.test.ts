import { readFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { REPLACEMENTS, withoutRecords } from './take-out-records.ts';

it('the benchmark finds each part of recording code that it removes from a gateway', () => {
  for (const file of Object.keys(REPLACEMENTS))
    withoutRecords(`file:///${file}`, readFileSync(path.join(import.meta.dirname, '../../..', file), 'utf8'));
});
