/**
 * Epoint's payouts end to end: a merchant's request, the worker, the connector, the simulator over HTTP, its callbacks, the
 * merchant's callback, on a real PostgreSQL. At the end Epoint's book, which would have it twice, has each payout once, and
 * ours are right.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../../rail-simulators/src/clock.ts';
import { readSettingsOf } from '../../../rail-simulators/src/environment.ts';
import { startEpoint } from '../../../rail-simulators/src/epoint/epoint-server.ts';
import type { ProviderServer } from '../../../rail-simulators/src/provider-server/start-provider.ts';
import { Secret } from '../../src/foundation/secret.ts';
import { registerCard } from '../support/epoint-rail-bench.ts';
import {
  askForPayout,
  assertEnd,
  assertReversed,
  DECLINED,
  firstAttempt,
  type PayoutAsked,
  SUCCESS,
} from '../support/payout-ends.ts';
import { MASTERCARD, VISA_CARD } from '../support/payout-request.ts';
import { assertReconciled } from '../support/payout-trial.ts';
import { freePort, type RunningGateway, startGateway } from '../support/running-gateway.ts';
import { askSimulator } from '../support/simulator-control.ts';
import type { Reply, TestMerchant } from '../support/test-merchant.ts';

const METHODS = [11, 17];

describe('a payout in manats', () => {
  let epoint: ProviderServer;
  let gateway: RunningGateway;
  let merchant: TestMerchant;
  let folder = '';
  /** What Epoint must have executed, by its amount. */
  const owed = new Map<string, number>();
  const usual = { payouts: 'pay', callbacks: 'off', code: '100', status: 'by_either' };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'payouts-epoint-'));
    const port = await freePort();
    const resultUrl = `http://127.0.0.1:${port}/rail-notifications/epoint`;
    // As development has both sides, but for the book, which is kept in memory.
    const environment = { EPOINT_PORT: '0', EPOINT_RESULT_URL: resultUrl };
    const { bookPath: _, ...settings } = readSettingsOf('epoint', environment, '/');
    const delays = { tellMs: 20, settleMs: 400, returnMs: 600 };
    epoint = await startEpoint({ ...settings, host: '127.0.0.1', clock: systemClock, delays, log: () => {} });
    const url = `${epoint.url}/api/1`;
    const cardsFile = join(folder, 'cards');
    const account = { publicKey: settings.publicKey, privateKey: new Secret(settings.privateKey) };
    await registerCard(VISA_CARD, { url, account, cardsFile }, (body) => control('register', body));
    const rail = { timeoutMs: 1_000, notFoundProofMs: 500, askAfterMs: [200, 400, 1_000] } as const;
    gateway = await startGateway({
      withoutBank: true,
      variables: { PORT: String(port), EPOINT_URL: url, EPOINT_CARDS_FILE: cardsFile },
      pace: { rail, recordingMs: 1_000 },
    });
    merchant = await gateway.merchant();
  });
  afterEach(() => faults(usual));
  after(async () => {
    await faults(usual);
    await assertReconciled(gateway, 'epoint');
    await assertBook();
    await gateway.verifyAndStop();
    await epoint.close();
    await rm(folder, { recursive: true });
  });

  const control = (what: string, body?: object) =>
    askSimulator({ url: epoint.url, secret: 'epoint-control-secret' }, what, body);
  const faults = (which: object) => control('faults', which);

  async function assertBook(): Promise<void> {
    const { entries } = (await control('book')) as {
      entries: { transaction?: string; amount: string; executions: number }[];
    };
    const payouts = entries.filter(({ transaction }) => transaction !== undefined);
    const latest = new Map(payouts.map((line) => [line.transaction, line]));
    const executed = [...latest.values()].map(({ amount, executions }) => [amount, executions] as const);
    assert.deepEqual(new Map(executed), owed);
    assert.equal(latest.size, owed.size, 'each payout was asked for once');
  }

  let payouts = 0;
  /** Each of another amount; `executions` undefined: Epoint has it not in its book. */
  async function ask(method: number, executions: number | undefined, change: object = {}): Promise<PayoutAsked> {
    payouts += 1;
    const amount = `${payouts}.50`;
    const asked = { merchant, method, payoutId: `p${payouts}`, change: { amount, ...change } };
    if (executions !== undefined) owed.set(amount, executions);
    await askForPayout(asked);
    return asked;
  }

  const ends: readonly (readonly [what: string, faults: object, end: Reply, executions: number])[] = [
    ['is executed at once', {}, SUCCESS, 1],
    ['is declined by a 200', { payouts: 'fail' }, DECLINED, 0],
    ['is new, and found executed by asking', { payouts: 'pay_later' }, SUCCESS, 1],
    [
      'is new, and told to have failed',
      { payouts: 'fail_later', callbacks: 'on', status: 'server_error' },
      DECLINED,
      0,
    ],
    ['is executed and never answered, and found by asking', { payouts: 'pay_unanswered' }, SUCCESS, 1],
    ['is executed and answered by a 200 that says no', { payouts: 'pay_and_say_no' }, SUCCESS, 1],
    ['is told before it is answered', { payouts: 'pay_told_first', callbacks: 'on' }, SUCCESS, 1],
    ['is told of twice', { callbacks: 'twice' }, SUCCESS, 1],
    ['is told of late', { callbacks: 'late' }, SUCCESS, 1],
  ];
  for (const method of METHODS)
    for (const [what, which, end, executions] of ends)
      it(`by method ${method} ${what}`, async () => {
        await faults(which);
        await assertEnd(gateway, await ask(method, executions), end);
      });

  for (const method of METHODS)
    it(`by method ${method} that comes back is a record of its own`, async () => {
      await faults({ payouts: 'return_later', callbacks: 'on' });
      const asked = await ask(method, 1);
      await assertEnd(gateway, asked, SUCCESS);
      await assertReversed(gateway, asked);
    });

  it('to a card that nobody registered is blocked, and Epoint hears nothing of it', async () => {
    const asked = await ask(11, undefined, { account: MASTERCARD });
    await assertEnd(gateway, asked, { status: 'Blocked', code: '52', description: 'Wrong recipient' });
  });

  it('is found by asking where what is told is forged', async () => {
    await faults({ callbacks: 'forged', payouts: 'fail_later' });
    await assertEnd(gateway, await ask(17, 0), DECLINED);
    assert.ok(gateway.log.some((line) => line.includes('unauthentic') && line.includes('epoint')));
  });

  // The last one: a rail that has nothing to say about payouts is tried less and less often.
  it('that was not answered and is not found stays unknown, and is never sent again', async () => {
    await faults({ payouts: 'lose' });
    const lost = [await ask(11, undefined), await ask(17, undefined)];
    for (const asked of lost) await firstAttempt(gateway, asked, 'unknown');
    await faults(usual);
    // Several times what another rail takes for proof.
    await sleep(2_000);
    for (const { payoutId } of lost) {
      const found = await gateway.operations.payouts.find({ merchantId: merchant.id, payoutId });
      assert.deepEqual([found?.payout.state, found?.attempts.length], ['pending', 1]);
    }
  });
});
