/**
 * WayForPay's payouts end to end: a merchant's request, the worker, the connector, the simulator over HTTP, its callbacks, the
 * merchant's callback, on a real PostgreSQL. At the end WayForPay's book has each payout once, and ours are right.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { systemClock } from '../../../rail-simulators/src/clock.ts';
import { readSettingsOf } from '../../../rail-simulators/src/environment.ts';
import type { ProviderServer } from '../../../rail-simulators/src/provider-server/start-provider.ts';
import { startWayForPay } from '../../../rail-simulators/src/wayforpay/wayforpay-server.ts';
import {
  askForPayout,
  assertEnd,
  assertReversed,
  DECLINED,
  firstAttempt,
  type PayoutAsked,
  SUCCESS,
} from '../support/payout-ends.ts';
import { type RunningGateway, startGateway } from '../support/running-gateway.ts';
import { askSimulator } from '../support/simulator-control.ts';
import type { Reply, TestMerchant } from '../support/test-merchant.ts';
import { until } from '../support/until.ts';

const METHODS = [1, 16, 34];
const LATE_MS = 1_500;

describe('a payout in hryvnias', () => {
  let wayforpay: ProviderServer;
  let gateway: RunningGateway;
  let merchant: TestMerchant;
  /** What WayForPay must have executed, by its amount. */
  const owed = new Map<string, number>();
  const usual = { payouts: 'approve', callbacks: 'on', reason_code: 1139 };

  before(async () => {
    // As development has both sides, but for the book, which is kept in memory.
    const { bookPath: _, ...settings } = readSettingsOf('wayforpay', { WAYFORPAY_PORT: '0' }, '/');
    const delays = { tellMs: 20, settleMs: 400, returnMs: 600, lateMs: LATE_MS };
    wayforpay = await startWayForPay({ ...settings, host: '127.0.0.1', clock: systemClock, delays, log: () => {} });
    const rail = { timeoutMs: 1_000, notFoundProofMs: 500, askAfterMs: [200, 400, 1_000] } as const;
    gateway = await startGateway({
      withoutBank: true,
      variables: { WAYFORPAY_URL: wayforpay.url },
      pace: { rail, recordingMs: 1_000 },
    });
    merchant = await gateway.merchant();
  });
  afterEach(() => faults(usual));
  after(async () => {
    await assertBook();
    await gateway.verifyAndStop();
    await wayforpay.close();
  });

  const control = (what: string, body?: object) =>
    askSimulator({ url: wayforpay.url, secret: 'wayforpay-control-secret' }, what, body);
  const faults = (which: object) => control('faults', which);

  interface BookLine {
    readonly reference: string;
    readonly kopecks: string;
    readonly executions: number;
  }
  const book = async () => (await control('book'))['entries'] as BookLine[];

  async function assertBook(): Promise<void> {
    const latest = new Map((await book()).map((line) => [line.reference, line]));
    const executed = [...latest.values()].map(({ kopecks, executions }) => [kopecks, executions] as const);
    assert.deepEqual(new Map(executed), owed);
    assert.equal(latest.size, owed.size, 'each payout under one reference');
  }

  let payouts = 0;
  /** Each of another amount. */
  async function ask(method: number, executions: number): Promise<PayoutAsked> {
    payouts += 1;
    const asked = { merchant, method, payoutId: `p${payouts}`, change: { amount: `${payouts}.50` } };
    owed.set(`${payouts}50`, executions);
    await askForPayout(asked);
    return asked;
  }

  const ends: readonly (readonly [what: string, faults: object, end: Reply, executions: number])[] = [
    ['is executed at once', {}, SUCCESS, 1],
    ['is declined', { payouts: 'decline' }, DECLINED, 0],
    ['is pending, and then executed', { payouts: 'approve_later' }, SUCCESS, 1],
    ['is pending, and then declined', { payouts: 'decline_later' }, DECLINED, 0],
    [
      'is executed and never answered, and found by asking',
      { payouts: 'approve_unanswered', callbacks: 'off' },
      SUCCESS,
      1,
    ],
    ['is executed and answered by a 200 that says no', { payouts: 'approve_and_say_no', callbacks: 'off' }, SUCCESS, 1],
    ['is told before it is answered', { payouts: 'approve_told_first' }, SUCCESS, 1],
    ['is told of twice', { callbacks: 'twice' }, SUCCESS, 1],
  ];
  for (const method of METHODS)
    for (const [what, which, end, executions] of ends)
      it(`by method ${method} ${what}`, async () => {
        await faults(which);
        await assertEnd(gateway, await ask(method, executions), end);
      });

  for (const method of METHODS)
    it(`by method ${method} that never arrived is sent again under its reference, once that is proved`, async () => {
      await faults({ payouts: 'lose' });
      const asked = await ask(method, 1);
      await firstAttempt(gateway, asked, 'unknown');
      await faults(usual);
      await assertEnd(gateway, asked, SUCCESS);
    });

  for (const method of METHODS)
    it(`by method ${method} that comes back is a record of its own`, async () => {
      await faults({ payouts: 'reverse_later' });
      const asked = await ask(method, 1);
      await assertEnd(gateway, asked, SUCCESS);
      await assertReversed(gateway, asked);
    });

  it('waits while our balance there is too small', async () => {
    await faults({ payouts: 'no_float' });
    const asked = await ask(1, 1);
    await firstAttempt(gateway, asked, 'not_taken');
    await faults(usual);
    await assertEnd(gateway, asked, SUCCESS);
  });

  it('that was told of late is told of in vain, and accepted', async () => {
    await faults({ callbacks: 'late' });
    const asked = await ask(34, 1);
    await assertEnd(gateway, asked, SUCCESS);
    const told = async () => (await book()).filter(({ kopecks }) => kopecks === `${payouts}50`).length;
    await until('the late callback is accepted', async () => (await told()) === 2);
    await assertEnd(gateway, asked, SUCCESS);
  });

  for (const callbacks of ['forged', 'wrong_amount'])
    it(`is found by asking where what is told is ${callbacks}`, async () => {
      await faults({ callbacks, payouts: 'decline_later' });
      await assertEnd(gateway, await ask(16, 0), DECLINED);
      const outcome = { forged: 'unauthentic', wrong_amount: 'wrong_amount' }[callbacks] ?? '';
      assert.ok(gateway.log.some((line) => line.includes(outcome) && line.includes('wayforpay')));
    });
});
