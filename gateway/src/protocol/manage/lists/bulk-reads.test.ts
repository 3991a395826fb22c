import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock, HOUR_MS } from '../../../foundation/clock.ts';
import { BULK_RECORDS, createBulkReads } from './bulk-reads.ts';

test('a caller reads in bulk once the reads of an hour exceed the limit', () => {
  const clock = createManualClock(0);
  const isBulk = createBulkReads(clock);
  assert.equal(isBulk('person:ann', BULK_RECORDS), false);
  assert.deepEqual([isBulk('person:ann', 1), isBulk('person:ann', 0)], [true, true]);
  assert.equal(isBulk('person:ben', 1), false);
  clock.advance(HOUR_MS);
  assert.equal(isBulk('person:ann', 1), false);
});
