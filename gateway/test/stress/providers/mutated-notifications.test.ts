/**
 * Notifications with valid signatures and modified content, from every provider that notifies the gateway: wrong amounts,
 * other references, missing and duplicate fields, in any order, mixed with genuine notifications. None may crash the gateway,
 * pay twice, lose money, or credit money that did not arrive, without an operator seeing it.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type MutationStage, openMutationStage } from '../../support/mutations/mutation-stage.ts';
import {
  assertNotInLog,
  assertNotInTables,
  assertNotInWal,
  createCardPlants,
  currentWalFile,
} from '../../support/secrets/card-plants.ts';
import { createChoices } from '../../support/tools/seeded.ts';

const ROUNDS = process.env['TEST_FULL'] ? 12 : 1;
const LIES = process.env['TEST_FULL'] ? 30 : 10;

const choices = createChoices('mutated notifications');
/** Different first digits than in the test of the gateway's own endpoints, because all tests share one write-ahead log. */
const plants = createCardPlants('453958');
let stage: MutationStage;
let walBegins = '';

before(async () => {
  stage = await openMutationStage(choices);
  walBegins = await currentWalFile(stage.gateway);
});
after(async () => {
  await stage.close();
  console.log([...stage.counts].map(([rail, { sent, taken }]) => `${rail} ${sent} (${taken} taken)`).join(', '));
});

test('after changed notifications with valid signatures, payouts match their providers’ books, or open a difference', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const sent = await Promise.all(
      stage.payoutRails.map(async (rail) => {
        const own = [await stage.payout(rail), await stage.payout(rail)];
        await stage.lies(rail, LIES);
        return own;
      }),
    ).then((all) => all.flat());
    await stage.judgePayouts(sent);
    await Promise.all(stage.payoutRails.map((rail) => stage.lies(rail, LIES)));
    await stage.judgePayouts(sent);
  }
});

test('after changed notifications with valid signatures, payments match their providers’ books, or open a difference', async () => {
  for (let round = 0; round < ROUNDS; round++)
    for (const rail of stage.formRails) {
      const visit = await stage.payment(rail);
      const lying = stage.lies(rail, LIES);
      await stage.pay(visit);
      await lying;
      await stage.judgePayment(visit);
      await stage.lies(rail, LIES);
      await stage.judgePayment(visit);
    }
  await stage.gateway.verify();
});

test('changed notifications of transfers credit only what the bank’s list confirms', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const clabe = await stage.transfer();
    await stage.lies('stp', LIES);
    await stage.judgeTransfer(clabe);
    await stage.lies('stp', LIES);
    await stage.judgeTransfer(clabe);
  }
  await stage.gateway.verify();
});

/**
 * The minimum number of rails whose notification proves a success by itself. Fewer than there are, because the successful
 * payouts are drawn.
 */
const FEWEST_PROVING = 3;

test('a success notification without any one of its values does not prove anything', async () => {
  const found = await stage.incompleteProofs();
  const proving = [...found].filter(([, { provesAlone }]) => provesAlone).map(([rail]) => rail);
  assert.ok(proving.length >= FEWEST_PROVING, proving.join());
  for (const [rail, { faults }] of found) assert.deepEqual(faults, [], rail);
});

/** A provider's own number of a transfer or message is a key, which the gateway compares and may have to send back. */
const OWN_NUMBERS: Readonly<Record<string, RegExp>> = {
  adyen: /\.(?:pspReference|originalReference),/,
  'adyen-transfers': /\.id,/,
  'dt-one': /^id,/,
  epoint: /^(?:transaction|bank_transaction|rrn),/,
  'freedom-pay': /^pg_payment_id,/,
  pix: /\.endToEndId,/,
  razorpayx: /\.(?:id|utr),/,
  stp: /^(?:id|claveRastreo),/,
  'token-io': /(?:^id|\.id|\.bankPaymentId|\.providerPaymentId),/,
  trustly: /\.(?:orderid|notificationid),/,
  vopay: /^(?:ID|TransactionID),/,
};
const isOwnNumber = (name: string) => {
  const [, rail = '', field = ''] = /^([^,]*), (.*)$/.exec(name) ?? [];
  return OWN_NUMBERS[rail]?.test(field) ?? false;
};

test('no table, log line or write-ahead log contains a card number from any other field of a notification in plain text', async () => {
  const rails = [...stage.payoutRails, ...stage.formRails, 'stp'];
  await Promise.all(rails.map((rail) => stage.plant(rail, plants)));
  await assertNotInTables(stage.gateway, plants, isOwnNumber);
  assertNotInLog(stage.gateway, plants, isOwnNumber);
  await assertNotInWal(stage.gateway, plants, { from: walBegins, written: '453958', except: isOwnNumber });
});
