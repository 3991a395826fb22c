/**
 * Payouts over faulty connections: real HTTP connections between the gateway and every provider's simulator lose, cut,
 * duplicate, delay, reorder, corrupt and swap messages, in both directions.
 */
import { after, before, test } from 'node:test';
import { openWiredPayouts, type WiredPayouts } from '../../support/faulty-wire/payout-stage.ts';
import { createChoices } from '../../support/tools/seeded.ts';

const ROUNDS = process.env['TEST_FULL'] ? 12 : 1;
const PAYOUTS = process.env['TEST_FULL'] ? 10 : 2;
const FAULTS_PER_HUNDRED = 45;

const choices = createChoices('faulty wires of payouts');
let stage: WiredPayouts;

before(async () => {
  stage = await openWiredPayouts(choices);
});
after(async () => {
  console.log([...stage.wires.counts()].map(([name, count]) => `${name} ${count}`).join(', '));
  await stage.close();
});

test('payouts over faulty connections are paid at most once and match their provider’s book, or open a difference', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    stage.wires.trouble(FAULTS_PER_HUNDRED);
    const all = stage.rails.flatMap((rail) => Array<typeof rail>(PAYOUTS).fill(rail));
    await stage.judge(await Promise.all(all.map((rail) => stage.send(rail))));
  }
});
