/** A thousand concurrent deposit requests at two gateways. A hundred orders are requested twice. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clabe as oracle } from 'clabe-validator';
import { openGateway } from '../../../src/main/compose/compose.ts';
import { reasonOf } from '../../support/deposits/host-to-host-wire.ts';
import { startSpeiStage } from '../../support/deposits/spei-stage.ts';
import { configOf } from '../../support/gateway/running-gateway.ts';
import { type CreatedDeposit, createTestMerchant, type TestMerchant } from '../../support/merchants/test-merchant.ts';
import type { WireAnswer } from '../../support/payouts/payout-request.ts';
import { CLABE_PREFIX } from '../../support/rails/stp-under-control.ts';
import { createChoices } from '../../support/tools/seeded.ts';

const REQUESTS = 1_000;
const TWICE = 100;

const NOT_ARRIVED = 408;

/**
 * With a thousand connections, a busy machine may write a request later than the gateway waits for it. The gateway has then
 * not read it, so the merchant sends it again.
 */
async function requestUntilRead(merchant: TestMerchant, order: string): Promise<WireAnswer> {
  for (;;) {
    const answer = await merchant.requestDeposit(order);
    if (answer.status !== NOT_ARRIVED) return answer;
  }
}

test('each order of a thousand simultaneous requests succeeds once, and each deposit has its own CLABE', async () => {
  const choices = createChoices('deposit orders');
  const stage = await startSpeiStage();
  const { database } = stage.gateway;
  const second = await openGateway(
    configOf({ ...stage.stp.variables, DATABASE_URL: database.connectionString, PORT: '0' }),
    { logTo: { write: () => {} } },
  );
  const serving = await second.serve('api');
  try {
    const { id, key } = await stage.gateway.merchant();
    const gateways = [stage.gateway.url, serving.url ?? ''].map((url) => createTestMerchant(() => url, id, key));
    const distinct = Array.from({ length: REQUESTS - TWICE }, (_, index) => `D${index}`);
    const orders = [...distinct, ...distinct.slice(0, TWICE)];
    // Shuffled by the run's seed, so that duplicates meet at the same gateway and at different gateways, early and late.
    const requests = orders.map((order) => ({ order, place: choices.between(0, 1e9) }));
    requests.sort((left, right) => left.place - right.place);

    const answers = await Promise.all(
      requests.map(async ({ order }, index) => {
        // Half of the requests go to each gateway, because a gateway handles 512 requests concurrently and rejects more.
        const merchant = gateways[index % gateways.length];
        assert(merchant);
        const answer = await requestUntilRead(merchant, order);
        assert.equal(answer.status, 200);
        return { order, reason: reasonOf(answer), deposit: answer.json as CreatedDeposit };
      }),
    );

    const created = answers.filter(({ reason }) => reason === 'Created');
    assert.deepEqual(created.map(({ order }) => order).toSorted(), distinct.toSorted());
    for (const { order, deposit } of created) assert.equal(deposit.order, order);
    // `reasonOf` has checked the complete envelope: transactionId is 0, and everything else is empty.
    const refused = answers.filter(({ reason }) => reason !== 'Created');
    assert.deepEqual([...new Set(refused.map(({ reason }) => reason))], ['Order already exists']);
    assert.equal(refused.length, TWICE);

    const clabes = created.map(({ deposit }) => deposit.clabe);
    assert.equal(new Set(clabes).size, clabes.length);
    for (const clabe of clabes) {
      assert(oracle.validate(clabe).ok && clabe.startsWith(CLABE_PREFIX), clabe);
    }
    assert.equal(new Set(created.map(({ deposit }) => deposit.transactionId)).size, created.length);
    assert.equal(new Set(created.map(({ deposit }) => deposit.uuid)).size, created.length);

    const { rows } = await database.pool.query(
      `select count(*)::int as deposits, count(distinct pay_to)::int as addresses,
         (select count(*)::int from clabes join deposits as d on d.pay_to = clabe and d.transaction_id = clabes.transaction_id) as listed
       from deposits where state = 'pending'`,
    );
    assert.deepEqual(rows, [{ deposits: distinct.length, addresses: distinct.length, listed: distinct.length }]);
  } finally {
    await serving.stop();
    await second.close();
    await stage.verifyAndStop();
  }
});
