/**
 * Payments on the form over faulty wires: between the gateway and every provider's simulator, and between the providers
 * and the gateway, real HTTP connections lose, cut, repeat, delay, reorder, corrupt and swap messages.
 */
import { after, before, test } from 'node:test';
import { openWiredPayments, type WiredPayments } from '../support/faulty-wire/payment-stage.ts';
import { createChoices } from '../support/seeded.ts';

const ROUNDS = process.env['TEST_FULL'] ? 12 : 1;
const PAYMENTS = process.env['TEST_FULL'] ? 8 : 2;
const FAULTS_PER_HUNDRED = 40;

const choices = createChoices('faulty wires of payments');
let stage: WiredPayments;

before(async () => {
  stage = await openWiredPayments(choices);
});
after(async () => {
  console.log([...stage.wires.counts()].map(([name, count]) => `${name} ${count}`).join(', '));
  await stage.close();
});

test('payments and refunds over faulty wires are those of their provider’s book, or open a difference', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    stage.wires.trouble(FAULTS_PER_HUNDRED);
    const all = stage.rails.flatMap((rail) => Array<typeof rail>(PAYMENTS).fill(rail));
    const visits = await Promise.all(all.map((rail) => stage.visit(rail)));
    await Promise.all(visits.map((visit) => stage.pay(visit)));
    await stage.judge(visits);
    stage.wires.trouble(FAULTS_PER_HUNDRED);
    await stage.judgeRefunds(await stage.refund(visits));
  }
});
