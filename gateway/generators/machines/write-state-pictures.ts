/** Writes the pictures of the state machines: `npx node gateway/generators/machines/write-state-pictures.ts`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../pages.ts';
import { STATE_MACHINES } from './state-machines.ts';
import { statePicture } from './state-picture.ts';

for (const [path, machine] of Object.entries(STATE_MACHINES)) {
  writeFileSync(join(ROOT, path), statePicture(machine));
  console.log(`wrote ${path}`);
}
