/**
 * SPEI transfers and returns of held transfers over faulty connections: real HTTP connections between the gateway and STP's
 * simulator lose, cut, duplicate, delay, reorder, corrupt and swap messages.
 */
import { after, before, test } from 'node:test';
import type { Exchange } from '../../support/faulty-wire/exchange.ts';
import { openWiredTransfers, type WiredTransfers } from '../../support/faulty-wire/transfer-stage.ts';
import { createChoices } from '../../support/tools/seeded.ts';

const ROUNDS = process.env['TEST_FULL'] ? 10 : 1;
const TRANSFERS = process.env['TEST_FULL'] ? 20 : 6;
const FAULTS_PER_HUNDRED = 45;

const choices = createChoices('faulty wires of transfers');
let stage: WiredTransfers;

before(async () => {
  stage = await openWiredTransfers(choices);
});
after(async () => {
  console.log([...stage.wires.counts()].map(([name, count]) => `${name} ${count}`).join(', '));
  await stage.close();
});

test('transfers and their returns over faulty connections match the bank’s book, or open a difference', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    stage.wires.trouble(FAULTS_PER_HUNDRED);
    await Promise.all(Array.from({ length: TRANSFERS }, () => stage.pay()));
    await stage.judgeTransfers();
    stage.wires.trouble(FAULTS_PER_HUNDRED);
    await stage.judgeReturns(await stage.returnAll());
  }
});

const REFUSAL = { resultado: { id: -9, descripcionError: 'La Institucion 40012 no es valida' } };

/** Returns the response to a different order, as a misrouting proxy at the bank would. */
async function refused({ request, forward, answer }: Exchange): Promise<void> {
  const reply = await forward();
  const isOrder = request.path.endsWith('/registra');
  answer(isOrder ? { ...reply, body: Buffer.from(JSON.stringify(REFUSAL)) } : reply);
}

test('the daily comparison finds a return that STP executed although its response was a decline', async () => {
  await stage.pay();
  await stage.judgeTransfers();
  stage.wires.always('stp', refused);
  stage.wires.always('notifications', async ({ cut }) => cut());
  await stage.judgeReturns(await stage.returnAll());
});
