/**
 * Refunds of card payments that api/form/adjustments.test.ts does not cover: ordered over the management API, reversed after
 * their event, and compared with the provider's report of a day.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { gatewayVariables } from '../../../rail-simulators/src/adyen/gateway-variables.ts';
import { startAdyen } from '../../../rail-simulators/src/adyen/server.ts';
import { systemClock } from '../../../rail-simulators/src/clock.ts';
import type { ProviderServer } from '../../../rail-simulators/src/kernel/start-provider.ts';
import { readSettingsOf } from '../../../rail-simulators/src/simulators.ts';
import type { Payout } from '../../src/domain/payouts/payout.ts';
import { DAY_MS, utcDayOf } from '../../src/foundation/clock.ts';
import { createFormPayer } from '../support/form/form-payer.ts';
import { formLink } from '../support/form/form-stage.ts';
import { freePort, type RunningGateway, startGateway } from '../support/gateway/running-gateway.ts';
import type { TestMerchant } from '../support/merchants/test-merchant.ts';
import { forgetEnd, manageClient } from '../support/people/manage-client.ts';
import { simulatorAt } from '../support/rails/simulator-control.ts';
import { until } from '../support/tools/until.ts';

const CARD = { card_number: '4111 1111 1111 1111', card_expiry: '03 / 30', card_cvv: '737', card_holder: 'OLENA S' };

let folder = '';
let gateway: RunningGateway;
let adyen: ProviderServer;
let orders = 0;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'form-refunds-'));
  const [port, adyenPort] = [await freePort(), await freePort()];
  const environment = {
    ADYEN_PORT: String(adyenPort),
    ADYEN_WEBHOOK_URL: `http://127.0.0.1:${port}/rail-notifications/adyen`,
    ADYEN_BOOK: join(folder, 'adyen.jsonl'),
  };
  const quick = { notifyMs: 20, decideMs: 30, lateMs: 200, holdMs: 1_000 };
  const settings = readSettingsOf('adyen', environment, folder);
  adyen = await startAdyen({ host: '127.0.0.1', clock: systemClock, log: () => {}, ...settings, delays: quick });
  gateway = await startGateway({
    variables: {
      PORT: String(port),
      ...gatewayVariables(`http://127.0.0.1:${adyenPort}`),
      ADYEN_REPORTS_URL: `http://127.0.0.1:${adyenPort}`,
    },
  });
});
after(async () => {
  await adyen.close();
  await gateway.verifyAndStop();
  await rm(folder, { recursive: true });
});
beforeEach(() => control('faults', { refunds: 'succeed' }));

function control(what: string, body?: object): Promise<unknown> {
  return simulatorAt({ url: adyen.url, secret: 'adyen-control-secret' })(what, body);
}

interface Paid {
  readonly merchant: TestMerchant;
  readonly order: string;
  readonly transactionId: number;
  /** The provider's reference of the payment. */
  readonly reference: string;
}

/** Creates a payment of 12.50 EUR to a merchant without other money. */
async function paid(): Promise<Paid> {
  const merchant = await gateway.merchant({ funds: {} });
  const order = `R${++orders}`;
  const payer = createFormPayer(gateway.url, {});
  const page = await payer.open(formLink({ merchant: merchant.id, order, payment_type: 'card' }));
  const result = await payer.press(page, 'pay', { ...CARD, email: 'olena@example.com' });
  assert.equal(result.heading, 'Payment received');
  const { deposit, attempts } = (await gateway.operations.deposits.find(merchant.id, order)) ?? assert.fail();
  assert.equal(deposit.state, 'success');
  const reference = attempts[0]?.reference ?? assert.fail();
  return { merchant, order, transactionId: deposit.transactionId, reference };
}

async function refunded({ merchant, transactionId }: Paid, amount: string | null = null): Promise<Payout> {
  const order = { merchantId: merchant.id, transactionId, amount, reason: 'sold out' };
  const ordered = await gateway.operations.deposits.refund(order);
  assert.ok(ordered.ok, ordered.ok ? undefined : ordered.error.kind);
  return ordered.value;
}

const balanceIs = (merchant: TestMerchant, wanted: string) =>
  until(`${merchant.id} has ${wanted}`, async () => (await merchant.balance('EUR'))['balance'] === wanted);

const hasEvents = ({ merchant, order }: Paid, ...types: string[]) =>
  until(`${merchant.id} received ${types}`, () => {
    const received = gateway.receiver.about(merchant.id, order, 'event').map(({ fields }) => fields['type']);
    return types.every((type) => received.includes(type)) && received.length === types.length;
  });

describe('refunds and chargebacks after a card payment', () => {
  it('a refund over the management API is ordered once when its process dies before the response', async () => {
    const { merchant, order, transactionId } = await paid();
    const client = await manageClient(gateway);
    const params = { merchantId: merchant.id, transactionId };
    const call = { params, body: { amount: '5.00', reason: 'sold out' }, key: randomUUID() };
    const first = (await client.call('deposits.refund', call)).value();
    await forgetEnd(gateway.database.pool, call.key);
    assert.equal((await client.call('deposits.refund', call)).value().payoutId, first.payoutId);
    const another = await client.call('deposits.refund', { ...call, key: randomUUID() });
    assert.notEqual(another.value().payoutId, first.payoutId);
    const reasonNow = async () => {
      const { acts } = (
        await client.call('deposits.show', { params: { merchantId: merchant.id, orderId: order } })
      ).value();
      return acts.find(({ act }) => act === 'deposits.refund')?.reason;
    };
    assert.equal(await reasonNow(), null);
    (await client.call('deposits.refund', { params, body: { reason: 'sold out' } })).value();
    assert.equal(await reasonNow(), 'nothing_left');
    const found = await gateway.operations.deposits.find(merchant.id, order);
    assert.equal(found?.refunds.length, 3);
  });

  it('a refund that fails after its event is reversed with a second event', async () => {
    await control('faults', { refunds: 'fail_later' });
    const payment = await paid();
    await refunded(payment);
    await hasEvents(payment, 'deposit.refunded', 'deposit.refund_undone');
    await balanceIs(payment.merchant, '12.50');
  });

  it('the gateway does not send a refund again whose row was changed while its outcome was unknown', async () => {
    const payment = await paid();
    await control('faults', { lost: 99 });
    const { merchantId, payoutId } = await refunded(payment, '5.00');
    const jobNow = async () => (await gateway.operations.payouts.find({ merchantId, payoutId }))?.job;
    await until('the outcome is unknown', async () => (await jobNow())?.stage === 'unknown');
    const { pool } = gateway.database;
    const change = (amount: number) =>
      pool.query('update payouts set amount = $1 where payout_id = $2', [amount, payoutId]);
    await change(900);
    await control('faults', { lost: 0 });
    const refundsMade = async () => ((await control('summary')) as { refunds: number }).refunds;
    const before = await refundsMade();
    const askAgain = () => pool.query('update payout_jobs set due_at = now() where payout_id = $1', [payoutId]);
    await askAgain();
    await until('the refund is held', async () => (await jobNow())?.heldBecause === 'seal_broken');
    const client = await manageClient(gateway);
    const params = { merchantId, payoutId };
    const asked = (await client.call('payouts.ask', { params, body: {} })).value();
    assert.match(asked.theirs, /^not queried: its row was changed/);
    assert.equal((await client.call('payouts.show', { params })).value().pending?.reason, 'seal_broken');
    const { items } = (await client.call('payouts.overdue')).value();
    assert.deepEqual(
      items.map(({ isSealBroken, ...item }) => [item.payoutId, isSealBroken]),
      [[payoutId, true]],
    );
    assert.equal(await refundsMade(), before);
    await change(500);
    await askAgain();
    await hasEvents(payment, 'deposit.refunded');
    assert.equal(await refundsMade(), before + 1);
    await balanceIs(payment.merchant, '7.50');
  });

  it('the gateway compares the refunds of a day with the provider’s report, once there is one', async () => {
    const { run } = gateway.operations.reconciliation;
    const compared = await run('adyen', utcDayOf(Date.now() - DAY_MS));
    assert.deepEqual([compared?.by, compared?.differences], ['list', []]);
    await assert.rejects(run('adyen', utcDayOf(Date.now() + DAY_MS)), /HTTP 404/);
  });
});
