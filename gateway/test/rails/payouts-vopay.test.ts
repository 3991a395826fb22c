/**
 * Payouts by e-transfer through a whole gateway and VoPay's simulator, over HTTP: what a merchant signs and sends, how it ends,
 * what they are told, and what VoPay's own book says. The gateway's patience is shortened; its rules are not.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../../rail-simulators/src/clock.ts';
import { readSettingsOf } from '../../../rail-simulators/src/environment.ts';
import type { ProviderServer } from '../../../rail-simulators/src/provider-server/start-provider.ts';
import { startVoPay } from '../../../rail-simulators/src/vopay/vopay-server.ts';
import { assertGenuine } from '../support/callback-receiver.ts';
import { freePort, type RunningGateway, startGateway } from '../support/running-gateway.ts';
import { askSimulator } from '../support/simulator-control.ts';
import type { Reply, TestMerchant } from '../support/test-merchant.ts';
import { until } from '../support/until.ts';

const METHOD = 92;

let folder = '';
let gateway: RunningGateway;
let vopay: ProviderServer;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vopay-'));
  const [port, vopayPort] = [await freePort(), await freePort()];
  const environment = {
    VOPAY_PORT: String(vopayPort),
    VOPAY_WEBHOOK_URL: `http://127.0.0.1:${port}/rail-notifications/vopay`,
    VOPAY_BOOK: join(folder, 'vopay.jsonl'),
  };
  const settings = readSettingsOf('vopay', environment, folder);
  const delays = { sendMs: 50, settleMs: 300, lateMs: 400, holdMs: 30_000 };
  vopay = await startVoPay({ host: '127.0.0.1', clock: systemClock, log: () => {}, ...settings, delays });
  const rail = { timeoutMs: 1_500, notFoundProofMs: 500, askAfterMs: [200, 400, 1_000] } as const;
  gateway = await startGateway({
    withoutBank: true,
    variables: { PORT: String(port), VOPAY_URL: `${vopay.url}/api/v2` },
    pace: { rail, recordingMs: 1_000 },
  });
});
after(async () => {
  const { paid_out_over_once: twice } = await control('summary');
  await vopay.close();
  await gateway.verifyAndStop();
  await rm(folder, { recursive: true });
  assert.deepEqual(twice, [], 'nobody was paid twice');
});
beforeEach(() => faults({ payouts: 'take', look_ups: 'answer', notifications: 'on', empty: false }));

const control = (what: string, body?: object) =>
  askSimulator({ url: vopay.url, secret: 'vopay-control-secret' }, what, body);
const faults = (which: object) => control('faults', which);

const SUCCESS = { status: 'Success', code: '0', description: 'Completed' };
const blocked = (code: string, description: string) => ({ status: 'Blocked', code, description });
const WRONG_RECIPIENT = blocked('52', 'Wrong recipient');

interface Sent {
  readonly merchant: TestMerchant;
  readonly payoutId: string;
  readonly amount: string;
}

let payouts = 0;

/** Of a merchant who has 100.00 CAD, to a recipient of its own: what becomes of it follows from its cents. */
async function send(amount = '10.00'): Promise<Sent> {
  const merchant = await gateway.merchant({ funds: { CAD: '100.00' } });
  const payoutId = `cad-${++payouts}`;
  const change = { amount, account: `recipient${payouts}@example.com` };
  assert.equal((await merchant.pay(METHOD, payoutId, change))['status'], 'Pending');
  return { merchant, payoutId, amount };
}

/** How it ended for the merchant: the status, one verified callback, the balance; and in VoPay's book. */
async function ends({ merchant, payoutId, amount }: Sent, end: Reply): Promise<void> {
  const isPaid = end === SUCCESS;
  assert.deepEqual(await merchant.final(payoutId), { ...end, payout_id: payoutId });
  const callback = await until('the callback', () => gateway.receiver.about(merchant.id, payoutId)[0]);
  assertGenuine(callback, merchant.key);
  const { status, code, ...told } = callback.fields;
  assert.deepEqual([status, code], [end['status'], end['code']]);
  assert.deepEqual([told['amount'], told['currency']], [amount, 'CAD']);
  const balance = isPaid ? (100 - Number(amount)).toFixed(2) : '100.00';
  assert.deepEqual(await merchant.balance('CAD'), { status: 'Success', currency: 'CAD', balance, reserved: '0.00' });
  assert.equal(gateway.receiver.about(merchant.id, payoutId).length, 1);
  assert.deepEqual(gateway.receiver.about(merchant.id, payoutId, 'event'), []);
  assert.equal(await depositsOf({ merchant, payoutId }), isPaid ? 1 : 0, 'the book of VoPay');
}

interface Line {
  readonly id: number;
  readonly kind: string;
  readonly notes: string;
  readonly reference: string;
}

async function linesOf({ merchant, payoutId }: Pick<Sent, 'merchant' | 'payoutId'>): Promise<readonly Line[]> {
  const { entries } = (await control('book')) as { entries: Line[] };
  return entries.filter(({ notes }) => notes === `${merchant.id}/${payoutId}`);
}

const depositsOf = async (sent: Pick<Sent, 'merchant' | 'payoutId'>) =>
  (await linesOf(sent)).filter(({ kind }) => kind === 'credited').length;

/** What the recipient does, once there is a message. */
async function acts(sent: Sent, how: object): Promise<void> {
  const line = await until('the recipient has a message', async () =>
    (await linesOf(sent)).find(({ kind }) => kind === 'sent'),
  );
  await control('deposit', { id: line.id, ...how });
}

const newsOf = (kind: string) => gateway.log.filter((line) => line.includes('vopay') && line.includes(kind));

describe('a payout by e-transfer', () => {
  it('is taken, deposited, and its merchant is told', async () => {
    await ends(await send(), SUCCESS);
  });

  it('is declined by HTTP 200 that means failure', async () => {
    await faults({ payouts: 'refuse' });
    await ends(await send(), WRONG_RECIPIENT);
  });

  it('is not decided until its recipient acts: answers, declines, leaves it unclaimed, does not know the answer', async () => {
    const acting: readonly (readonly [how: object, end: Reply])[] = [
      [{ answer: '550123' }, SUCCESS],
      [{ decline: true }, blocked('50', 'Blocked')],
      [{ expire: true }, blocked('54', 'Expired')],
    ];
    for (const [how, end] of acting) {
      const sent = await send('10.55');
      await acts(sent, how);
      await ends(sent, end);
    }
    const sent = await send('10.55');
    for (const answer of ['one', 'two', 'three']) await acts(sent, { answer });
    await ends(sent, WRONG_RECIPIENT);
  });

  it('fails on its way, or is cancelled', async () => {
    await ends(await send('10.15'), WRONG_RECIPIENT);
    await ends(await send('10.45'), blocked('55', 'Cancelled'));
  });

  for (const mode of ['take_unanswered', 'take_500', 'take_and_say_no'] as const) {
    it(`is taken and not said to be (${mode}): found by asking, and paid once`, async () => {
      await faults({ payouts: mode, notifications: 'off' });
      await ends(await send(), SUCCESS);
    });
  }

  for (const fault of [{ payouts: 'lose' }, { payouts: 'say_no' }, { empty: true }]) {
    it(`never came to be (${JSON.stringify(fault)}): it is sent again once that is proved`, async () => {
      await faults(fault);
      const sent = await send();
      const key = { merchantId: sent.merchant.id, payoutId: sent.payoutId };
      await until('it is known that it was never taken', async () => {
        const found = await gateway.operations.payouts.find(key);
        return found?.attempts[0]?.outcome === 'not_taken';
      });
      assert.deepEqual(await linesOf(sent), []);
      await faults({ payouts: 'take', empty: false });
      await ends(sent, SUCCESS);
      const found = await gateway.operations.payouts.find(key);
      assert.equal(new Set(found?.attempts.map(({ reference }) => reference)).size, 1, 'always under one reference');
    });
  }

  it('is told before the reply', async () => {
    await faults({ payouts: 'deposited_before_reply' });
    await ends(await send(), SUCCESS);
  });

  it('is told twice, late, out of order, or never', async () => {
    for (const notifications of ['twice', 'late', 'out_of_order', 'off']) {
      await faults({ notifications });
      const sent = await send();
      await ends(sent, SUCCESS);
      await sleep(600);
      await ends(sent, SUCCESS);
    }
  });

  it('is told of by somebody else, or with another amount: neither is believed, and asking finds the truth', async () => {
    for (const [notifications, kind] of [
      ['forged', 'unauthentic'],
      ['wrong_amount', 'wrong_amount'],
    ] as const) {
      await faults({ notifications });
      await ends(await send(), SUCCESS);
      await until(`the log says ${kind}`, () => newsOf(kind).length > 0);
    }
  });

  it('that waits is not ended by somebody who has seen a webhook', async () => {
    const sent = await send('10.55');
    const line = await until('it is sent', async () => (await linesOf(sent)).find(({ kind }) => kind === 'sent'));
    const { id, reference } = line;
    await control('made-up-webhook', { id, ClientReferenceNumber: reference, Status: 'successful' });
    await sleep(300);
    assert.equal((await sent.merchant.status(sent.payoutId))['status'], 'Pending');
    await acts(sent, {});
    await ends(sent, SUCCESS);
  });

  it('that is undone after it was deposited is reversed: an event of its own, and the money is the merchant’s again', async () => {
    const { merchant, payoutId } = await send('10.25');
    assert.equal((await merchant.final(payoutId))['status'], 'Success');
    const event = await until('the event', () => gateway.receiver.about(merchant.id, payoutId, 'event')[0]);
    assertGenuine(event, merchant.key);
    assert.equal(event.fields['type'], 'payout.reversed');
    assert.equal((await merchant.status(payoutId))['status'], 'Success', 'a final state stays');
    assert.equal((await merchant.balance('CAD'))['balance'], '100.00');
    assert.equal(await depositsOf({ merchant, payoutId }), 1);
  });
});
