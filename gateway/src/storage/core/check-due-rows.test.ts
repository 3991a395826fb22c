import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createDueRowCheck } from './check-due-rows.ts';

it('a claim checks for due rows first only if the rail’s previous claim was empty', async () => {
  const dueRowCheck = createDueRowCheck();
  const due: Record<string, number[]> = { pix: [1] };
  const steps: string[] = [];
  const claim = (rail: string) =>
    dueRowCheck(
      rail,
      async () => {
        steps.push(`look ${rail}`);
        return (due[rail] ?? []).length > 0;
      },
      async () => {
        steps.push(`claim ${rail}`);
        return (due[rail] ?? []).splice(0);
      },
    );
  assert.deepEqual(await claim('pix'), [1]);
  assert.deepEqual(await claim('pix'), []);
  assert.deepEqual(await claim('pix'), []);
  assert.deepEqual(await claim('stp'), []);
  due['pix'] = [2];
  assert.deepEqual(await claim('pix'), [2]);
  assert.deepEqual(await claim('pix'), []);
  const looked = ['claim pix', 'claim pix', 'look pix', 'claim stp', 'look pix', 'claim pix', 'claim pix'];
  assert.deepEqual(steps, looked);
});
