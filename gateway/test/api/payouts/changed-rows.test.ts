/** A payout whose row is changed in the database between acceptance and sending. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { MINUTE_MS } from '../../../src/foundation/clock.ts';
import { type RunningGateway, startGateway } from '../../support/gateway/running-gateway.ts';
import { untilPaused } from '../../support/gateway/until-paused.ts';
import type { TestMerchant } from '../../support/merchants/test-merchant.ts';
import { until } from '../../support/tools/until.ts';

let gateway: RunningGateway;
let merchant: TestMerchant;

before(async () => {
  gateway = await startGateway();
  merchant = await gateway.merchant();
});
after(() => gateway.stop());

const CHANGES: Readonly<Record<string, string>> = {
  amount: 'amount = amount + 1',
  account: "account_shown = overlay(account_shown placing '9' from 20 for 1)",
  name: `fields = fields || '{"full_name": "Somebody"}'`,
  card: `vault_token = (select vault_token from payouts where payout_id = 'model')`,
  method: 'method = 1',
  // Replaces the payout's content, including its seal, by that of another payout.
  content: `(amount, account_shown, fields, vault_token, content_hash, seal) =
    (select amount, account_shown, fields, vault_token, content_hash, seal from payouts where payout_id = 'model')`,
  seal: 'seal = null',
  rail: "rail = 'another_rail'",
  state: "state = 'blocked', blocked_reason = 'cancelled', finished_at = now()",
};

/** Changes of the payout's card. */
const CARD_CHANGES: Readonly<Record<string, string>> = {
  'changed-card': "update vault_records set ciphertext = ciphertext || '\\x00'",
  'lost-card': 'delete from vault_records',
};

it('a worker sends only payouts whose row was not changed after their acceptance', async () => {
  const { operations, database, bank } = gateway;
  await operations.pauses.pause('merchant', merchant.id, 'for the test');
  await untilPaused(gateway, merchant, 34);
  const ids = [...Object.keys(CHANGES), ...Object.keys(CARD_CHANGES)];
  for (const id of ['model', ...ids]) await merchant.pay(34, id, { amount: '1.00' });
  for (const [id, change] of Object.entries(CHANGES))
    await database.pool.query(`update payouts set ${change} where payout_id = $1`, [id]);
  for (const [id, change] of Object.entries(CARD_CHANGES))
    await database.pool.query(`${change} where token = (select vault_token from payouts where payout_id = $1)`, [id]);
  await operations.pauses.resume('merchant', merchant.id);

  const noteOf = async (payoutId: string) =>
    (await operations.payouts.find({ merchantId: merchant.id, payoutId }))?.job?.note ?? '';
  for (const id of ids)
    await until(`${id} is held`, async () => /^its row (?:differs|has no seal)/.test(await noteOf(id)));
  assert.equal((await merchant.final('model'))['status'], 'Success');
  const executed = await bank.executions();
  assert.deepEqual(
    ids.filter((id) => executed.has(`${merchant.id}/${id}`)),
    [],
  );
  const linesLike = (pattern: RegExp) => gateway.log.filter((line) => pattern.test(line)).length;
  await until('each is logged', () => linesLike(/"event":"payout_seal_broken"/) === ids.length);
  assert.equal(linesLike(/"alert_raised".*"payout_seal_broken"/), 1, 'one alert for all of them');

  // Make the payout due again, as after an hour.
  const lookAgain = () => database.pool.query(`update payout_jobs set due_at = now() where payout_id = 'amount'`);
  const jobOf = async () => (await operations.payouts.find({ merchantId: merchant.id, payoutId: 'amount' }))?.job;
  const isHeldAgain = async () => ((await jobOf())?.dueAt ?? 0) > Date.now() + MINUTE_MS;
  await lookAgain();
  await until('the changed payout is held again', isHeldAgain);
  assert.equal((await jobOf())?.attempts, 1, 'it begins no further attempt');
  await database.pool.query(`update payouts set amount = amount - 1 where payout_id = 'amount'`);
  await lookAgain();
  assert.equal((await merchant.final('amount'))['status'], 'Success');
});

it('a paid payout that is set back to pending in the database is held and not sent', async () => {
  const { operations, database, bank } = gateway;
  const key = { merchantId: merchant.id, payoutId: 'paid-before' };
  await merchant.pay(34, key.payoutId, { amount: '1.00' });
  assert.equal((await merchant.final(key.payoutId))['status'], 'Success');
  const sends = async () => (await bank.summary()).repeats + (await bank.summary()).executions;
  const before = await sends();
  await database.pool.query(`update payouts set state = 'pending', finished_at = null where payout_id = $1`, [
    key.payoutId,
  ]);
  await database.pool.query(
    `insert into payout_jobs (merchant_id, payout_id, rail, purpose, method, stage, stage_since, due_at, attempts)
     select merchant_id, payout_id, rail, purpose, method, 'queued', now(), now(), 1 from payouts where payout_id = $1`,
    [key.payoutId],
  );
  const job = async () => (await operations.payouts.find(key))?.job;
  await until('it is held', async () => (await job())?.heldBecause === 'seal_broken');
  assert.equal(await sends(), before);
});
