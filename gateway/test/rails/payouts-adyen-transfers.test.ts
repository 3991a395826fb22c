/**
 * Payouts to cards through Adyen, end to end: a signed request, worker, connector, simulator, webhooks, the verified callback.
 * In the end Adyen's book has each payout that succeeded once, and the gateway's books are right.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { startAdyenTransfers } from '../../../rail-simulators/src/adyen-transfers/adyen-transfers-server.ts';
import type { BookEntry } from '../../../rail-simulators/src/adyen-transfers/book.ts';
import { noFaults } from '../../../rail-simulators/src/adyen-transfers/faults.ts';
import { systemClock } from '../../../rail-simulators/src/clock.ts';
import { readSettingsOf } from '../../../rail-simulators/src/environment.ts';
import type { ProviderServer } from '../../../rail-simulators/src/provider-server/start-provider.ts';
import { MASTERCARD, VISA_CARD } from '../support/payout-request.ts';
import {
  assertStands,
  beginPayout,
  endOf,
  eventAfter,
  type PayoutTrial,
  SHORT_PATIENCE,
} from '../support/payout-trial.ts';
import { freePort, type RunningGateway, startGateway } from '../support/running-gateway.ts';
import { askSimulator } from '../support/simulator-control.ts';
import { until } from '../support/until.ts';

const NAMED = { full_name: 'Greta Weiß' };

let gateway: RunningGateway;
let adyen: ProviderServer;
const succeeded: string[] = [];

before(async () => {
  const [port, adyenPort] = [await freePort(), await freePort()];
  const notify = `http://127.0.0.1:${port}/rail-notifications/adyen-transfers`;
  const environment = { ADYEN_TRANSFERS_PORT: String(adyenPort), ADYEN_TRANSFERS_WEBHOOK_URL: notify };
  const { secret, apiKey, balanceAccount, hmacKey, webhookUrl } = readSettingsOf('adyenTransfers', environment, '/');
  adyen = await startAdyenTransfers({
    ...{ secret, apiKey, balanceAccount, hmacKey, webhookUrl },
    ...{ host: '127.0.0.1', port: adyenPort, control: true, clock: systemClock, log: () => {} },
    delays: { stepMs: 150, lateMs: 300, holdMs: 5_000 },
  });
  gateway = await startGateway({
    withoutBank: true,
    variables: { PORT: String(port), ADYEN_TRANSFERS_URL: `${adyen.url}/btl/v4` },
    pace: SHORT_PATIENCE,
  });
});

after(async () => {
  const summary = await control('summary');
  const { entries } = (await control('book')) as unknown as { entries: BookEntry[] };
  await adyen.close();
  const cards = gateway.log.filter((line) => line.includes(VISA_CARD) || line.includes(MASTERCARD));
  const madeByBank = await gateway.bank.wholeBook();
  await gateway.verifyAndStop();
  assert.deepEqual(summary['paid_over_once'], []);
  const booked = entries.filter(({ status }) => status === 'booked').map(({ description }) => description);
  assert.deepEqual(booked.toSorted(), succeeded.toSorted(), 'each that succeeded was booked once, and no other');
  assert.deepEqual(madeByBank, [], 'no other rail carried any of them');
  assert.deepEqual(cards, [], 'no card number in the log');
});
beforeEach(() => faults({}));

const control = (what: string, body?: object) =>
  askSimulator({ url: adyen.url, secret: 'adyen-transfers-control-secret' }, what, body);
const faults = (change: object) => control('faults', { ...noFaults, ...change });

async function succeeds(trial: PayoutTrial): Promise<void> {
  assert.equal(await endOf(gateway, trial), 'Success 0');
  succeeded.push(trial.remittance);
  await assertStands(gateway, trial, { end: 'Success 0', balance: '90.00' });
}

async function isBlocked(trial: PayoutTrial, code: string): Promise<void> {
  assert.equal(await endOf(gateway, trial), `Blocked ${code}`);
  await assertStands(gateway, trial, { end: `Blocked ${code}`, balance: '100.00' });
}

describe('a payout to a card through Adyen', () => {
  for (const method of [8, 9, 22, 23, 93]) {
    it(`by method ${method} succeeds`, async () => {
      await succeeds(await beginPayout(gateway, method, method === 9 ? NAMED : {}));
    });
  }

  it('without a name is refused, since no other rail carries it here', async () => {
    const merchant = await gateway.merchant();
    const refused = await merchant.pay(9, 'nameless');
    assert.deepEqual([refused['status'], refused['description']], ['Error', 'Invalid full_name']);
  });

  const declines: readonly (readonly [what: string, change: object, code: string])[] = [
    ['that is refused with 202', { transfers: 'refuse', reason: 'doNotHonor' }, '51'],
    ['that is over a limit', { transfers: 'refuse', reason: 'amountLimitExceeded' }, '53'],
    ['that is pending and then refused', { transfers: 'refuse_later', reason: 'invalidCard' }, '52'],
    ['that the other bank rejects', { transfers: 'fail', reason: 'counterpartyAccountClosed' }, '52'],
    ['that is given up on the way, found by asking', { transfers: 'cancel' }, '50'],
    ['that is refused while somebody else says it was booked', { transfers: 'refuse', webhooks: 'forged' }, '51'],
  ];
  for (const [what, change, code] of declines) {
    it(`${what} is blocked`, async () => {
      await faults(change);
      await isBlocked(await beginPayout(gateway, 22), code);
    });
  }

  const successes: readonly (readonly [what: string, change: object])[] = [
    ['that is booked at once', { transfers: 'book_at_once' }],
    ['that is received first', { transfers: 'receive_first' }],
    ['that nobody tells of, found by asking', { webhooks: 'off' }],
    ['that is taken and never answered', { answers: 'take_unanswered' }],
    ['that is taken and answered 500', { answers: 'take_500' }],
    ['that is told of before it is answered', { webhooks: 'before_reply' }],
    ['that is told of twice', { webhooks: 'twice' }],
    ['that is told of late', { webhooks: 'late' }],
    ['that is told of out of order', { webhooks: 'out_of_order' }],
    ['that is told of with another amount', { webhooks: 'wrong_amount' }],
    ['of which somebody else says the opposite', { webhooks: 'forged' }],
  ];
  for (const [what, change] of successes) {
    it(`${what} succeeds, once`, async () => {
      await faults(change);
      await succeeds(await beginPayout(gateway, 23));
    });
  }

  it('that was lost on its way is sent again once that is proved, and succeeds, once', async () => {
    await faults({ answers: 'lose' });
    const trial = await beginPayout(gateway, 8);
    const find = () => gateway.operations.payouts.find({ merchantId: trial.merchant.id, payoutId: trial.payoutId });
    await until('it is asked about', async () => (await find())?.attempts[0]?.outcome === 'unknown');
    await faults({});
    await succeeds(trial);
    const attempts = (await find())?.attempts ?? [];
    assert.deepEqual(attempts.map(({ outcome }) => outcome).slice(0, 2), ['not_taken', 'pending']);
    assert.equal(new Set(attempts.map(({ reference }) => reference)).size, 1, 'always under one reference');
  });

  for (const [transfers, what] of [['return', 'returned'] as const, ['fail_after_booking', 'failed'] as const]) {
    it(`that is ${what} after it succeeded is reversed: an event, and the merchant has the money again`, async () => {
      await faults({ transfers });
      const trial = await beginPayout(gateway, 22);
      assert.equal(await endOf(gateway, trial), 'Success 0');
      succeeded.push(trial.remittance);
      assert.equal((await eventAfter(gateway, trial)).fields['type'], 'payout.reversed');
      await assertStands(gateway, trial, { end: 'Success 0', balance: '100.00', events: 1 });
    });
  }

  it('waits, with the reason, where our money at Adyen has run out', async () => {
    await faults({ funds: 'none' });
    const { merchant, payoutId } = await beginPayout(gateway, 22);
    const find = () => gateway.operations.payouts.find({ merchantId: merchant.id, payoutId });
    const found = await until('it is sent a second time', async () => {
      const now = await find();
      return (now?.attempts.length ?? 0) > 1 ? now : undefined;
    });
    assert.deepEqual([found.payout.state, found.attempts[0]?.outcome], ['pending', 'not_taken']);
    assert.deepEqual(gateway.receiver.about(merchant.id, payoutId), []);
  });
});
