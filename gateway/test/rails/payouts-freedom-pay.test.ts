/**
 * Payouts to cards in tenge through a whole gateway and Freedom Pay's simulator, over HTTP: what a merchant signs and sends, how
 * it ends, what they are told, and what Freedom Pay's own book says. The gateway's patience is shortened; its rules are not.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../../rail-simulators/src/clock.ts';
import { readSettingsOf } from '../../../rail-simulators/src/environment.ts';
import { startFreedomPay } from '../../../rail-simulators/src/freedom-pay/freedom-pay-server.ts';
import type { ProviderServer } from '../../../rail-simulators/src/provider-server/start-provider.ts';
import { assertGenuine } from '../support/callback-receiver.ts';
import { assertReconciled } from '../support/payout-trial.ts';
import { freePort, type RunningGateway, startGateway } from '../support/running-gateway.ts';
import { askSimulator } from '../support/simulator-control.ts';
import type { Reply, TestMerchant } from '../support/test-merchant.ts';
import { until } from '../support/until.ts';

const METHOD = 12;
const PAID = '4671593866478252';
const ASK_THE_BANK = '4556046085041740';
const PAID_LATER = '5507841999732294';
const FAILED_LATER = '4532676596620704';

let folder = '';
let gateway: RunningGateway;
let freedomPay: ProviderServer;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'freedom-pay-'));
  const [port, freedomPayPort] = [await freePort(), await freePort()];
  const environment = {
    FREEDOM_PAY_PORT: String(freedomPayPort),
    FREEDOM_PAY_BOOK: join(folder, 'freedom-pay.jsonl'),
  };
  const settings = readSettingsOf('freedomPay', environment, folder);
  const delays = { settleMs: 300, tellMs: 30, lateMs: 500, holdMs: 30_000 };
  freedomPay = await startFreedomPay({ host: '127.0.0.1', clock: systemClock, log: () => {}, ...settings, delays });
  const rail = { timeoutMs: 1_000, notFoundProofMs: 500, askAfterMs: [200, 400, 1_000] } as const;
  gateway = await startGateway({
    withoutBank: true,
    variables: { PORT: String(port), FREEDOM_PAY_URL: freedomPay.url },
    pace: { rail, recordingMs: 1_000 },
  });
});
after(async () => {
  await faults({ statuses: 'answer', empty: false });
  await assertReconciled(gateway, 'freedom-pay');
  const { paid_over_once: twice } = await control('summary');
  await freedomPay.close();
  await gateway.verifyAndStop();
  await rm(folder, { recursive: true });
  assert.deepEqual(twice, [], 'nobody was paid twice');
});
beforeEach(() =>
  faults({ payouts: 'take', statuses: 'answer', notifications: 'on', empty: false, tell_failures: false }),
);

const control = (what: string, body?: object) =>
  askSimulator({ url: freedomPay.url, secret: 'freedom-pay-control-secret' }, what, body);
const faults = (which: object) => control('faults', which);

const SUCCESS = { status: 'Success', code: '0', description: 'Completed' };
const DECLINED = { status: 'Blocked', code: '51', description: 'Declined by the bank' };

interface Sent {
  readonly merchant: TestMerchant;
  readonly payoutId: string;
}

let payouts = 0;

/** 10.00 KZT, of a merchant who has 100.00. */
async function send(card = PAID): Promise<Sent> {
  const merchant = await gateway.merchant({ funds: { KZT: '100.00' } });
  const payoutId = `kzt-${++payouts}`;
  assert.equal((await merchant.pay(METHOD, payoutId, { account: card }))['status'], 'Pending');
  return { merchant, payoutId };
}

/** How it ended for the merchant: the status, one verified callback, the balance; and in Freedom Pay's book. */
async function ends({ merchant, payoutId }: Sent, end: Reply, timesPaid = end === SUCCESS ? 1 : 0): Promise<void> {
  assert.deepEqual(await merchant.final(payoutId), { ...end, payout_id: payoutId });
  const callback = await until('the callback', () => gateway.receiver.about(merchant.id, payoutId)[0]);
  assertGenuine(callback, merchant.key);
  const { status, code, amount, currency } = callback.fields;
  assert.deepEqual([status, code, amount, currency], [end['status'], end['code'], '10.00', 'KZT']);
  const balance = end === SUCCESS ? '90.00' : '100.00';
  assert.deepEqual(await merchant.balance('KZT'), { status: 'Success', currency: 'KZT', balance, reserved: '0.00' });
  assert.equal(gateway.receiver.about(merchant.id, payoutId).length, 1);
  assert.deepEqual(gateway.receiver.about(merchant.id, payoutId, 'event'), []);
  assert.equal(await paidIn(merchant, payoutId), timesPaid, 'the book of Freedom Pay');
}

async function paidIn({ id }: TestMerchant, payoutId: string): Promise<number> {
  const { entries } = (await control('book')) as { entries: Readonly<Record<string, string>>[] };
  const about = entries.filter(({ description }) => description === `${id}/${payoutId}`);
  return about.filter(({ kind }) => kind === 'paid').length;
}

const newsOf = (kind: string) => gateway.log.filter((line) => line.includes('freedom-pay') && line.includes(kind));

describe('a payout to a card in tenge', () => {
  it('is paid, and its merchant is told', async () => {
    await ends(await send(), SUCCESS);
  });

  it('is declined by HTTP 200 that means failure', async () => {
    await ends(await send(ASK_THE_BANK), DECLINED);
  });

  it('is not decided, then paid', async () => {
    await ends(await send(PAID_LATER), SUCCESS);
  });

  it('is not decided, then declined: found by asking, or told', async () => {
    await ends(await send(FAILED_LATER), DECLINED);
    await faults({ tell_failures: true });
    await ends(await send(FAILED_LATER), DECLINED);
  });

  for (const mode of ['take_unanswered', 'take_500', 'take_and_say_no'] as const) {
    it(`is paid and not said to be (${mode}): found by asking, and paid once`, async () => {
      await faults({ payouts: mode, notifications: 'off' });
      await ends(await send(), SUCCESS);
    });
  }

  for (const [fault, none] of [
    [{ payouts: 'lose' }, 'answer'],
    [{ payouts: 'say_no' }, 'number_zero'],
    [{ empty: true }, 'answer'],
  ] as const) {
    it(`never came to be (${JSON.stringify(fault)}): it is sent again once that is proved`, async () => {
      await faults({ ...fault, statuses: none });
      const sent = await send();
      const key = { merchantId: sent.merchant.id, payoutId: sent.payoutId };
      await until('it is known that it was never taken', async () => {
        const found = await gateway.operations.payouts.find(key);
        return found?.attempts[0]?.outcome === 'not_taken';
      });
      assert.equal(await paidIn(sent.merchant, sent.payoutId), 0);
      await faults({ payouts: 'take', empty: false, statuses: 'answer' });
      await ends(sent, SUCCESS);
      const found = await gateway.operations.payouts.find(key);
      assert.equal(new Set(found?.attempts.map(({ reference }) => reference)).size, 1, 'always under one reference');
    });
  }

  it('is told before the reply', async () => {
    await faults({ payouts: 'told_before_reply' });
    await ends(await send(), SUCCESS);
  });

  it('is told twice, and late', async () => {
    for (const notifications of ['twice', 'late', 'out_of_order']) {
      await faults({ notifications });
      const sent = await send(PAID_LATER);
      await ends(sent, SUCCESS);
      await sleep(700);
      await ends(sent, SUCCESS);
    }
  });

  it('is told of by somebody else, or with another amount: neither is believed, and asking finds the truth', async () => {
    for (const [notifications, kind] of [
      ['forged', 'unauthentic'],
      ['wrong_amount', 'wrong_amount'],
    ] as const) {
      await faults({ notifications });
      await ends(await send(PAID_LATER), SUCCESS);
      await until(`the log says ${kind}`, () => newsOf(kind).length > 0);
    }
  });

  it('shows its card number in no line of the log', () => {
    for (const card of [PAID, ASK_THE_BANK, PAID_LATER, FAILED_LATER]) {
      assert.ok(!gateway.log.some((line) => line.includes(card)));
    }
  });
});
