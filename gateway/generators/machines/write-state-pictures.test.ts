/** The pictures of the state machines equal the transition tables in the code. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { ROOT } from '../pages.ts';
import { STATE_MACHINES } from './state-machines.ts';
import { statePicture } from './state-picture.ts';

for (const [path, machine] of Object.entries(STATE_MACHINES)) {
  it(`${path} equals the transition table (npx node gateway/generators/machines/write-state-pictures.ts writes it)`, () => {
    assert.equal(readFileSync(join(ROOT, path), 'utf8'), statePicture(machine));
  });
}
