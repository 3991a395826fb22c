/**
 * Form payments over faulty connections: real HTTP connections between the gateway and every provider's simulator lose, cut,
 * duplicate, delay, reorder, corrupt and swap messages, in both directions.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Exchange } from '../../support/faulty-wire/exchange.ts';
import { openWiredPayments, type WiredPayments } from '../../support/faulty-wire/payment-stage.ts';
import { createChoices } from '../../support/tools/seeded.ts';
import { until } from '../../support/tools/until.ts';

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

test('payments and refunds over faulty connections match the provider’s records, or open a difference', async () => {
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

const REFUSALS = { devolucao: 'NAO_REALIZADO', refunds: 'INITIATION_REJECTED' };

/** Returns the response about a different refund, as a misrouting proxy at the provider would. */
async function refuseRefunds({ request, forward, answer }: Exchange): Promise<void> {
  const reply = await forward();
  const [, state] = Object.entries(REFUSALS).find(([part]) => request.path.includes(part)) ?? [];
  const text = reply.body.toString();
  answer({ ...reply, body: Buffer.from(state ? text.replace(/"status":"\w+"/, `"status":"${state}"`) : text) });
}

test('the daily comparison finds a refund that its provider executed although its response was a decline', async () => {
  const visits = await Promise.all((['pix', 'token-io'] as const).map((rail) => stage.visit(rail)));
  for (const visit of visits) {
    await visit.submit();
    await visit.act();
    await visit.until('paid');
    stage.wires.always(visit.rail, refuseRefunds);
  }
  stage.wires.always('notifications', async ({ cut }) => cut());
  assert.equal((await stage.refund(visits)).length, visits.length);
  const areAll = async (state: string) =>
    (await Promise.all(visits.map((visit) => stage.refundOf(visit)))).every((each) => each === state);
  await until('the refunds are refused', () => areAll('blocked'));
  for (const { rail } of visits) stage.wires.always(rail, async ({ forward, answer }) => answer(await forward()));
  await until('the comparison finds them', async () => {
    await stage.reconcile();
    return areAll('blocked late_execution');
  });
  await stage.wires.calm();
});
