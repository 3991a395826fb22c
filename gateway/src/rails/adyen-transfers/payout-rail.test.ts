/** Runs payouts against the simulator of Adyen's transfers with each of its faults. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { startAdyenTransfers } from '../../../../rail-simulators/src/adyen-transfers/server.ts';
import { systemClock as simulatorClock } from '../../../../rail-simulators/src/clock.ts';
import type { ProviderServer } from '../../../../rail-simulators/src/kernel/start-provider.ts';
import { NO_RAILS } from '../../../test/support/gateway/no-rails.ts';
import { type AskSimulator, simulatorAt } from '../../../test/support/rails/simulator-control.ts';
import { deadlineAfter, noDeadline } from '../../../test/support/tools/deadlines.ts';
import { until } from '../../../test/support/tools/until.ts';
import type { PayoutOrder, PayoutRail } from '../../domain/payouts/payout-rail.ts';
import { type Clock, HOUR_MS, MINUTE_MS, systemClock } from '../../foundation/clock.ts';
import { systemRandom } from '../../foundation/random.ts';
import { Secret } from '../../foundation/secret.ts';
import { createRails, type Rails } from '../registry.ts';

const API_KEY = 'an api key';
const SECRET = 'a secret of the test';
const CARD = '4111111111111111';

let orders = 0;
function order(change: Partial<PayoutOrder> = {}): PayoutOrder {
  return {
    reference: `${++orders}-AbCd1234`,
    remittance: `M1/A${orders}`,
    purpose: 'payout',
    method: 8,
    money: { currency: 'USD', minor: 1_000n },
    beneficiary: { account: new Secret(CARD), full_name: 'Maria Muñoz', exp_date: new Secret('12/30') },
    sendUntil: systemClock.now(),
    delayed: false,
    ...change,
  };
}

describe('payouts over Adyen transfers', () => {
  let adyen: ProviderServer;
  let control: AskSimulator;
  let rail: PayoutRail;
  let rails: Rails;
  let aheadMs = 0;
  const refusedCredentials: string[] = [];
  /** Ahead of Adyen's clock, so that a recent refusal is old. */
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + aheadMs };

  before(async () => {
    adyen = await startAdyenTransfers({
      host: '127.0.0.1',
      port: 0,
      secret: SECRET,
      apiKey: API_KEY,
      balanceAccount: 'BA1',
      hmacKey: 'ab'.repeat(32),
      webhookUrl: 'http://127.0.0.1:1',
      control: true,
      clock: simulatorClock,
      delays: { stepMs: 60, returnMs: 60 },
      log: () => {},
    });
    control = simulatorAt({ url: adyen.url, secret: SECRET });
    ({ rail, rails } = connect(API_KEY));
  });
  beforeEach(async () => {
    aheadMs = 0;
    refusedCredentials.length = 0;
    await control('reset', {});
  });
  after(async () => {
    await rails.close();
    await adyen.close();
  });

  function connect(apiKey: string): { rail: PayoutRail; rails: Rails } {
    const urls = { url: `${adyen.url}/btl/v4`, balancesUrl: `${adyen.url}/bcl/v2` };
    const configuration = { ...urls, balanceAccount: 'BA1', hmacKeys: [], concurrency: 4, simulated: true };
    const made = createRails(
      { ...NO_RAILS, adyenTransfers: { ...configuration, apiKey: new Secret(apiKey) } },
      { hooks: { onCredentialRefused: (name) => refusedCredentials.push(name) }, clock, random: systemRandom },
    );
    const [payoutRail] = made.payoutRails;
    assert.ok(payoutRail);
    return { rail: payoutRail, rails: made };
  }

  const taken = async () => (await control('summary'))['transfers'];
  const said = (answer: object) => Object.values(answer).join(' ');

  async function askUntil(asked: PayoutOrder, wanted: string): Promise<void> {
    await until(wanted, async () => said(await rail.ask(asked, noDeadline())).startsWith(wanted));
  }

  const ends: readonly (readonly [faults: object, sent: string, end: string])[] = [
    [{ transfers: 'book' }, 'pending', 'executed'],
    [{ transfers: 'book_at_once' }, 'executed', 'executed'],
    [{ transfers: 'receive_first' }, 'pending', 'executed'],
    [
      { transfers: 'refuse', reason: 'doNotHonor' },
      'declined bank_declined Adyen reports refused doNotHonor',
      'declined bank_declined',
    ],
    [{ transfers: 'refuse', reason: 'amountLimitExceeded' }, 'declined limit_or_risk', 'declined limit_or_risk'],
    [{ transfers: 'refuse_later', reason: 'invalidCard' }, 'pending', 'declined invalid_beneficiary'],
    [{ transfers: 'fail', reason: 'counterpartyAccountClosed' }, 'pending', 'declined invalid_beneficiary'],
    [{ transfers: 'fail_after_booking' }, 'pending', 'reversed Adyen reports failed'],
    [{ transfers: 'return' }, 'pending', 'reversed Adyen reports returned'],
    [{ transfers: 'cancel' }, 'pending', 'declined unspecified Adyen reports cancelled'],
  ];
  for (const [faults, sent, end] of ends) {
    it(`an Adyen payout under the faults ${JSON.stringify(faults)} is ${sent}, and then ${end}`, async () => {
      await control('faults', faults);
      const own = order();
      assert.ok(said(await rail.send(own, noDeadline())).startsWith(sent));
      await askUntil(own, end);
    });
  }

  it('the Adyen transfers rail carries its five methods and shows the card number to Adyen only', async () => {
    const address = { customs_address: 'Lange Straße 7', customs_city: 'Köln', customs_country: 'DE' };
    const birth = { customs_birthday: '29-02-1988', customs_post_code: '50667', customs_state: 'Hessen' };
    assert.deepEqual([...rail.methods], [8, 9, 22, 23, 93]);
    for (const method of rail.methods) {
      const currency = method === 8 ? 'USD' : 'EUR';
      const own = order({ method, money: { currency, minor: 1_000n } });
      const beneficiary = { ...own.beneficiary, ...(method === 93 ? { ...address, ...birth } : {}) };
      assert.deepEqual(await rail.send({ ...own, beneficiary }, noDeadline()), { kind: 'pending' }, `method ${method}`);
    }
    const book = JSON.stringify(await control('book'));
    assert.match(book, /"line2":"Lange Strasse"/);
    assert.doesNotMatch(book, new RegExp(CARD));
  });

  it('the Adyen float reader returns the balance of each currency, and zero if there is none', async () => {
    const left = async () => {
      const read = await rails.floatReaders[0]?.read(noDeadline());
      assert.ok(read?.ok);
      return read.value.map(({ currency, minor }) => `${currency} ${minor}`);
    };
    const before = await left();
    await rail.send(order(), noDeadline());
    assert.deepEqual(before, ['EUR 100000000', 'USD 100000000']);
    assert.deepEqual(await left(), ['EUR 100000000', 'USD 99999000']);
    await control('faults', { funds: 'none' });
    assert.deepEqual(await left(), ['EUR 0', 'USD 0']);
  });

  it('a payout without a name is declined without a request to Adyen', async () => {
    const answer = await rail.send(order({ method: 9, beneficiary: { account: new Secret(CARD) } }), noDeadline());
    assert.equal(said(answer), 'declined invalid_beneficiary Adyen needs full_name in Latin letters');
    assert.equal(await taken(), 0);
  });

  it('an Adyen payout without a response has an unknown outcome, and a status query finds the transfer by its reference', async () => {
    for (const [answers, ms] of [['accept_unanswered', 600] as const, ['accept_500', 5_000] as const]) {
      await control('faults', { answers });
      const own = order();
      assert.equal((await rail.send(own, deadlineAfter(ms))).kind, 'unknown');
      await askUntil(own, 'executed');
    }
  });

  it('a lost Adyen payout is not found and is paid once after a retry', async () => {
    await control('faults', { answers: 'lose' });
    const own = order();
    assert.equal((await rail.send(own, deadlineAfter(100))).kind, 'unknown');
    assert.deepEqual(await rail.ask(own, noDeadline()), { kind: 'not_found' });
    await control('faults', { answers: 'all' });
    assert.deepEqual(await rail.send(own, noDeadline()), { kind: 'pending' });
    assert.deepEqual(await rail.send(own, noDeadline()), { kind: 'pending' });
    assert.equal(await taken(), 1);
  });

  it('an Adyen payout has an unknown outcome if Adyen rejects its retry as too early', async () => {
    await control('faults', { answers: 'at_work' });
    assert.equal((await rail.send(order(), noDeadline())).kind, 'unknown');
  });

  it('a payout has an unknown outcome while Adyen is unavailable', async () => {
    await control('faults', { down: true });
    assert.equal((await rail.send(order(), noDeadline())).kind, 'unknown');
    assert.equal((await rail.ask(order(), noDeadline())).kind, 'unknown');
  });

  it('an Adyen payout with a refused credential is not accepted, and the rail reports the credential', async () => {
    const wrong = connect('another key');
    const own = order();
    assert.match(
      said(await wrong.rail.send(own, noDeadline())),
      /^not_accepted Adyen refuses our credential \(HTTP 401\)/,
    );
    assert.equal((await wrong.rail.ask(own, noDeadline())).kind, 'unknown');
    await wrong.rails.close();
    await control('faults', { answers: 'forbidden' });
    assert.match(said(await rail.send(own, noDeadline())), /^not_accepted .*HTTP 403/);
    assert.deepEqual(refusedCredentials, ['adyen-transfers', 'adyen-transfers', 'adyen-transfers']);
    assert.equal(await taken(), 0);
  });

  describe('payouts with a short balance at Adyen', () => {
    const noMoney = 'not_accepted Adyen reports refused notEnoughBalance';
    let own: PayoutOrder;

    beforeEach(async () => {
      own = order();
      await control('faults', { funds: 'none' });
      assert.equal(said(await rail.send(own, noDeadline())), noMoney);
    });

    it('an Adyen payout with a short balance is not requested again immediately', async () => {
      await control('faults', { funds: 'enough' });
      assert.equal(said(await rail.send(own, noDeadline())), noMoney);
      assert.equal(await taken(), 1);
    });

    it('an Adyen payout with a short balance is paid once when money is available again', async () => {
      aheadMs = 11 * MINUTE_MS;
      assert.equal(said(await rail.send(own, noDeadline())), noMoney);
      assert.equal(await taken(), 2);
      await control('faults', { funds: 'enough' });
      assert.equal(said(await rail.send(own, noDeadline())), 'pending');
      assert.equal(
        said(await rail.send(own, noDeadline())),
        'unknown Adyen lists a transfer other than the refused transfer',
      );
      await askUntil(own, 'executed');
      const summary = await control('summary');
      assert.deepEqual([summary['transfers'], summary['booked'], summary['paid_over_once']], [3, 1, []]);
    });

    it('a status query finds Adyen’s open transfer even if an earlier transfer was declined', async () => {
      aheadMs = 11 * MINUTE_MS;
      await control('faults', { funds: 'enough', transfers: 'stay' });
      await rail.send(own, noDeadline());
      assert.equal(await taken(), 2);
      assert.deepEqual(await rail.ask(own, noDeadline()), { kind: 'pending' });
    });

    it('a status query declines a payout an hour after Adyen declined it, if no transfer is open', async () => {
      assert.deepEqual(await rail.ask(own, noDeadline()), { kind: 'not_found' });
      aheadMs = HOUR_MS + MINUTE_MS;
      assert.equal(
        said(await rail.ask(own, noDeadline())),
        'declined unspecified Adyen reports refused notEnoughBalance',
      );
    });

    it('a payout with a short balance is not requested again while Adyen’s list is unavailable', async () => {
      aheadMs = 11 * MINUTE_MS;
      await control('faults', { funds: 'enough', lists: 'not_yet' });
      assert.equal((await rail.send(own, noDeadline())).kind, 'unknown');
      assert.equal(await taken(), 1);
    });
  });
});
