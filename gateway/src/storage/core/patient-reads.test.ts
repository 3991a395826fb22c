import assert from 'node:assert/strict';
import { it } from 'node:test';
import { systemClock } from '../../foundation/clock.ts';
import { STEP_BY_STEP } from './cluster-text.ts';
import type { Database } from './database.ts';
import { withPatientReads } from './patient-reads.ts';

/** The number of times that the text is sent, if the connection breaks at the first one. */
async function runsOf(text: string): Promise<number> {
  let runs = 0;
  const query = async () => {
    runs += 1;
    if (runs === 1) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    return [];
  };
  const database = withPatientReads({ query, prepared: query } as unknown as Database, systemClock);
  await database.query(text).catch(() => {});
  return runs;
}

const READ = 'with listed as (select 1 as one) select one from listed';
const CHANGE = 'with gone as (delete from pauses returning 1) select * from gone';

for (const [mark, meaning] of [
  ['', 'a statement'],
  [STEP_BY_STEP, 'a statement in steps'],
] as const) {
  it(`${meaning} that only reads is repeated after a lost connection`, async () => {
    assert.equal(await runsOf(`${mark} ${READ}`), 2);
  });

  it(`${meaning} with a change is not repeated after a lost connection`, async () => {
    assert.equal(await runsOf(`${mark} ${CHANGE}`), 1);
  });
}
