/** Payouts, deposits, held money, callbacks and pauses over the management API. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, type RunningGateway, startGateway } from '../support/gateway/running-gateway.ts';
import type { TestMerchant } from '../support/merchants/test-merchant.ts';
import { type ManageClient, manageClient, rehearse } from '../support/people/manage-client.ts';
import { type StpUnderControl, startStpUnderControl } from '../support/rails/stp-under-control.ts';
import { until } from '../support/tools/until.ts';

let stp: StpUnderControl;
let gateway: RunningGateway;
let operator: ManageClient;

before(async () => {
  const port = await freePort();
  stp = await startStpUnderControl(`http://127.0.0.1:${port}/rail-notifications/stp`);
  gateway = await startGateway({ variables: { ...stp.variables, PORT: String(port) } });
  operator = await manageClient(gateway);
});
after(async () => {
  await stp.close();
  await gateway.verifyAndStop();
});

const ofMerchant = ({ id }: TestMerchant) => manageClient(gateway, { merchantId: id });

describe('payouts over the management API', () => {
  it('a merchant’s token shows a payout with its attempts, history and callbacks', async () => {
    const merchant = await gateway.merchant();
    await merchant.pay(1, 'shown', { amount: '10.00' });
    await merchant.final('shown');
    const call = { params: { merchantId: merchant.id, payoutId: 'shown' } };
    const payout = (await (await ofMerchant(merchant)).call('payouts.show', call)).value();
    assert.deepEqual([payout.state, payout.amount, payout.currency, payout.pending], ['success', '10.00', 'UAH', null]);
    assert.equal(payout.attempts.length, 1);
    assert.deepEqual(
      payout.money.map(({ journal, kind, debit, credit, amount }) => [journal, kind, debit, credit, amount]),
      [
        ['payout/shown/reserve', 'reserve', 'available', 'reserved', '10.00'],
        ['payout/shown/execute', 'payout', 'reserved', `clearing:${payout.rail}`, '10.00'],
      ],
    );
    assert.equal(payout.history.at(-1)?.to, 'success');
    assert.equal(payout.callbacks[0]?.subjectId, 'shown');
    const other = await ofMerchant(await gateway.merchant());
    assert.equal((await other.call('payouts.show', call)).status, 404);
  });

  it('the queued payout of a paused merchant is cancelled once', async () => {
    const merchant = await gateway.merchant();
    const pause = { params: { scope: 'merchant' as const, target: merchant.id } };
    const paused = await operator.call('pauses.pause', { ...pause, body: { reason: 'unusual pattern' } });
    assert.deepEqual(paused.value(), { paused: true });
    await sleep(1_050);
    await merchant.pay(1, 'queued');
    const call = { params: { merchantId: merchant.id, payoutId: 'queued' } };
    const shown = (await operator.call('payouts.show', call)).value();
    assert.match(shown.pending?.waitsFor ?? '', /unusual pattern/);
    assert.deepEqual(shown.acts, [
      { act: 'payouts.approve', reason: 'only_a_person', obstacle: 'Only a user can approve a payout.' },
      { act: 'payouts.cancel', reason: null, obstacle: null },
      {
        act: 'payouts.ask',
        reason: 'never_sent',
        obstacle: 'The gateway never sent the payout to that provider.',
      },
    ]);
    const client = await ofMerchant(merchant);
    const cancel = () => client.call('payouts.cancel', { ...call, body: { reason: 'ordered twice' } });
    const rehearsed = await rehearse(client, 'payouts.cancel', { ...call, body: { reason: 'ordered twice' } });
    assert.deepEqual(
      rehearsed.postings.map(({ kind, debit, credit }) => [kind, debit, credit]),
      [['release', 'reserved', 'available']],
    );
    const answers = await Promise.all([cancel(), cancel(), cancel()]);
    const won = answers.filter(({ status }) => status === 200);
    assert.equal(won.length, 1);
    assert.deepEqual([won[0]?.value().state, won[0]?.value().code], ['blocked', '55']);
    assert.match((await cancel()).problem().detail, /already final/);
    const { acts } = (await client.call('payouts.show', call)).value();
    assert.deepEqual(acts[1], {
      act: 'payouts.cancel',
      reason: 'already_final',
      obstacle: 'The payout is already final.',
    });
    assert.equal(acts.length, 2);
    assert.deepEqual((await operator.call('pauses.resume', pause)).value(), { resumed: 0 });
    assert.equal((await operator.call('pauses.resume', pause)).status, 404);
  });

  it('a payout above the merchant’s threshold waits for an approver, and a token cannot approve it', async () => {
    const merchant = await gateway.merchant({ settings: { 'approval_above.UAH': '10.00' } });
    await merchant.pay(1, 'at-once', { amount: '10.00' });
    await merchant.final('at-once');
    assert.equal((await merchant.pay(1, 'waits', { amount: '10.01' }))['status'], 'Pending');
    const call = { params: { merchantId: merchant.id, payoutId: 'waits' } };
    const client = await ofMerchant(merchant);
    const { pending, acceptedAt, afterApproval } = (await client.call('payouts.show', call)).value();
    assert.deepEqual([pending?.reason, pending?.since], ['awaiting_approval', acceptedAt]);
    const balances = async () =>
      (await operator.call('merchants.show', { params: { merchantId: merchant.id } })).value().balances;
    const before = (await balances()).find(({ currency }) => currency === 'UAH');
    assert.deepEqual([before?.reserved, afterApproval], ['10.01', { ...before, reserved: '0.00' }]);
    const [awaiting, ...others] = (await client.call('payouts.awaiting')).value().items;
    assert.deepEqual([awaiting?.payoutId, awaiting?.approveBy, others], ['waits', pending?.nextAt, []]);
    assert.equal((await client.call('payouts.approve', { ...call, body: {} })).status, 403);
    const approved = await gateway.operations.payouts.approve(call.params, {
      by: 'Ann',
      person: 'ann',
      mailbox: '',
      detail: 'as ordered',
    });
    assert.deepEqual(approved, { ok: true, value: 'approved' });
    await merchant.final('waits');
    assert.deepEqual(
      (await balances()).find(({ currency }) => currency === 'UAH'),
      afterApproval,
    );
    assert.equal((await client.call('payouts.show', call)).value().afterApproval, null);
  });

  it('a payout that takes longer than its rail allows is listed as late with its reason, for its merchant only', async () => {
    const merchant = await gateway.merchant();
    const pause = { params: { scope: 'merchant' as const, target: merchant.id } };
    (await operator.call('pauses.pause', { ...pause, body: { reason: 'unusual pattern' } })).value();
    await sleep(1_050);
    await merchant.pay(1, 'slow');
    const client = await ofMerchant(merchant);
    assert.deepEqual((await client.call('payouts.late')).value().items, []);
    await gateway.database.pool.query(
      `update payouts set accepted_at = accepted_at - interval '30 days' where merchant_id = $1`,
      [merchant.id],
    );
    const [late, ...others] = (await client.call('payouts.late')).value().items;
    assert.deepEqual([late?.payoutId, late?.pending?.reason, others], ['slow', 'paused', []]);
    assert.ok(Date.parse(late?.lateSince ?? '') > Date.parse(late?.acceptedAt ?? ''));
    assert.doesNotMatch(late?.pending?.waitsFor ?? '', /unusual pattern/, 'the reason is the operator’s');
    const seen = (await operator.call('payouts.late', { query: { merchantId: merchant.id } })).value().items;
    assert.match(seen[0]?.pending?.waitsFor ?? '', /unusual pattern/);
    const other = await ofMerchant(await gateway.merchant());
    assert.deepEqual((await other.call('payouts.late')).value().items, []);
    (await operator.call('pauses.resume', pause)).value();
    await merchant.final('slow');
  });

  it('a pause of a merchant, a method, a purpose or a rail that does not exist is rejected', async () => {
    for (const [scope, target] of [
      ['merchant', 'NOBODY'],
      ['method', '12345'],
      ['purpose', 'nothing'],
      ['rail', 'no-such-rail'],
    ] as const) {
      const paused = await operator.call('pauses.pause', { params: { scope, target }, body: { reason: 'x' } });
      assert.deepEqual([paused.status, paused.problem().field], [404, 'target'], scope);
    }
  });

  it('the outcome of a payout that no bank received cannot be recorded', async () => {
    const merchant = await gateway.merchant();
    await merchant.pay(1, 'paid');
    await merchant.final('paid');
    const call = { params: { merchantId: merchant.id, payoutId: 'paid' } };
    const again = await operator.call('payouts.resolve', {
      ...call,
      body: { outcome: 'executed', reason: 'statement of today' },
    });
    assert.match(again.problem().detail, /already has this outcome/);
    const reversed = { outcome: 'reversed' as const, reason: 'letter of the bank of today' };
    assert.equal((await operator.call('payouts.resolve', { ...call, body: reversed })).value().adjustment, 'reversed');
    const { related, attempts } = (await operator.call('payouts.show', call)).value();
    assert.deepEqual(
      related.map(({ kind, id }) => [kind, id]),
      [
        ['attempt', attempts[0]?.reference],
        ['reversal', attempts[0]?.rail],
      ],
    );
  });

  it('a delivered callback is sent again and shows every delivery', async () => {
    const merchant = await gateway.merchant();
    await merchant.pay(1, 'again');
    await merchant.final('again');
    const client = await ofMerchant(merchant);
    const show = async () => {
      const payout = await client.call('payouts.show', { params: { merchantId: merchant.id, payoutId: 'again' } });
      return payout.value().callbacks[0];
    };
    const callback = await until('the callback is delivered', async () => {
      const found = await show();
      return found?.state === 'delivered' ? found : undefined;
    });
    const named = { params: { merchantId: merchant.id, callbackId: callback.callbackId } };
    assert.deepEqual((await client.call('callbacks.resend', named)).value(), { before: 'delivered' });
    await until('the callback is delivered again', async () => (await show())?.attempts === 2 || undefined);
    const record = (await client.call('callbacks.show', named)).value();
    assert.deepEqual(
      record.deliveries.map(({ attempt, outcome }) => [attempt, outcome]),
      [
        [1, 'accepted'],
        [2, 'accepted'],
      ],
    );
    const test = { params: { merchantId: merchant.id }, body: { subject: 'deposit' as const } };
    const { outcome, sent } = (await client.call('callbacks.test', test)).value();
    assert.equal(outcome, 'accepted');
    assert.match(sent?.body ?? '', /co_inv_st=fail.*co_sign=/);
    const body = { since: new Date(0).toISOString() };
    const all = await client.call('callbacks.resendUndelivered', { params: { merchantId: merchant.id }, body });
    assert.deepEqual(all.value(), { resent: 0 });
  });
});

describe('held money over the management API', () => {
  async function shortPaid(merchant: TestMerchant, order: string) {
    const { clabe } = await merchant.deposit(order);
    await stp.pay(clabe, { amount: '40.00' });
    return until('the money is held', async () => {
      const { items } = (await operator.call('transfers.held', { query: { limit: 100 } })).value();
      return items.find(({ payTo }) => payTo === clabe);
    });
  }

  it('held money is credited once, and the deposit shows it', async () => {
    const merchant = await gateway.merchant();
    const { rail, transferKey, orderId } = await shortPaid(merchant, 'short');
    assert.equal(orderId, 'short');
    const call = { params: { rail, transferKey }, body: { reason: 'the shop accepts the part' } };
    const rehearsed = await rehearse(operator, 'transfers.resolve', call);
    const posted = rehearsed.postings.filter(({ merchantId }) => merchantId === merchant.id);
    assert.deepEqual(posted[0]?.amount, '40.00', JSON.stringify(rehearsed));
    const answers = await Promise.all([
      operator.call('transfers.resolve', call),
      operator.call('transfers.resolve', call),
    ]);
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    const show = { params: { merchantId: merchant.id, orderId: 'short' } };
    const deposit = (await (await ofMerchant(merchant)).call('deposits.show', show)).value();
    assert.deepEqual(
      deposit.money.map(({ journal, debit, credit, amount }) => [journal.split('/').at(-1), debit, credit, amount]),
      [
        ['hold', `clearing:${rail}`, 'suspense', '40.00'],
        ['release', 'suspense', 'available', '40.00'],
      ],
    );
    assert.deepEqual([deposit.state, deposit.received, deposit.transfers[0]?.state], ['success', '40.00', 'credited']);
    assert.equal(deposit.history.find(({ event }) => event === 'resolved')?.actor, 'a test');
    const late = await operator.call('transfers.return', { params: { rail, transferKey }, body: { reason: 'x' } });
    assert.match(late.problem().detail, /its state is credited/);
  });

  it('returning held money creates a payout by the gateway', async () => {
    const merchant = await gateway.merchant();
    const { rail, transferKey } = await shortPaid(merchant, 'back');
    const call = { params: { rail, transferKey }, body: { reason: 'the payer asked for it' } };
    const rehearsed = await rehearse(operator, 'transfers.return', call);
    assert.deepEqual([rehearsed.possible, rehearsed.postings[0]?.amount], [true, '40.00']);
    const returned = (await operator.call('transfers.return', call)).value();
    const payout = (await operator.call('payouts.show', { params: returned })).value();
    assert.deepEqual([payout.purpose, payout.method, payout.amount], ['return', null, '40.00']);
    const show = { params: { merchantId: merchant.id, orderId: 'back' } };
    const { history } = (await operator.call('deposits.show', show)).value();
    const ordered = history.find(({ event }) => event === 'return_requested');
    assert.deepEqual([ordered?.actor, payout.history[0]?.actor], ['a test', 'a test']);
    await until('the money is back', async () => {
      const { state } = (await operator.call('payouts.show', { params: returned })).value();
      return state === 'success' || undefined;
    });
  });

  it('a suspended merchant cannot order a refund, while the operator can', async () => {
    const merchant = await gateway.merchant();
    await merchant.deposit('suspended');
    const own = await ofMerchant(merchant);
    const show = async () =>
      (await own.call('deposits.show', { params: { merchantId: merchant.id, orderId: 'suspended' } })).value();
    const { transactionId } = await show();
    assert.ok((await gateway.operations.merchants.suspend(merchant.id)).ok);
    await until(
      'the gateway knows it',
      async () => (await show()).acts[0]?.reason === 'merchant_disabled' || undefined,
    );
    const call = { params: { merchantId: merchant.id, transactionId }, body: { reason: 'sold out' } };
    assert.match((await own.call('deposits.refund', call)).problem().detail, /merchant is suspended/);
    assert.match((await operator.call('deposits.refund', call)).problem().detail, /not paid: its state is pending/);
  });

  it('ending attempts is rejected without an attempt in flight, and a refund is rejected without a payment', async () => {
    const merchant = await gateway.merchant();
    await merchant.deposit('unpaid');
    const shown = await operator.call('deposits.show', { params: { merchantId: merchant.id, orderId: 'unpaid' } });
    const { transactionId, acts } = shown.value();
    const reasons = acts.map(({ act, reason }) => [act, reason]);
    assert.deepEqual(reasons, [
      ['deposits.refund', 'not_paid'],
      ['deposits.endAttempts', 'nothing_in_flight'],
    ]);
    const own = await ofMerchant(merchant);
    const seen = await own.call('deposits.show', { params: { merchantId: merchant.id, orderId: 'unpaid' } });
    assert.deepEqual(
      seen.value().acts.map(({ act }) => act),
      ['deposits.refund'],
    );
    const call = { params: { merchantId: merchant.id, transactionId }, body: { reason: 'x' } };
    assert.match((await operator.call('deposits.endAttempts', call)).problem().detail, /no payment attempt/);
    assert.match((await operator.call('deposits.refund', call)).problem().detail, /not paid: its state is pending/);
    assert.equal((await operator.call('deposits.overdue')).status, 200);
    assert.equal((await operator.call('payouts.overdue')).status, 200);
  });
});

describe('differences over the management API', () => {
  it('a difference is listed, shown and resolved once, with the caller as its author', async () => {
    const key = { rail: 'a-rail', day: '2026-11-20', kind: 'amount', subject: 'R/1 ü' };
    await gateway.database.pool.query(
      `insert into differences (rail, day, kind, subject, ours, theirs, found_at) values ($1, $2, $3, $4, '10.00 EUR', '11.00 EUR', now())`,
      Object.values(key),
    );
    const list = async (all: boolean) =>
      (await operator.call('differences.list', { query: { rail: 'a-rail', all } })).value().items;
    assert.equal((await list(false)).length, 1);
    assert.equal((await operator.call('differences.show', { params: key })).value().theirs, '11.00 EUR');
    const call = { params: key, body: { reason: 'a typo at the bank, corrected by them' } };
    assert.deepEqual((await operator.call('differences.resolve', call)).value(), { resolved: true });
    assert.equal((await operator.call('differences.resolve', call)).status, 404);
    assert.deepEqual(await list(false), []);
    assert.equal((await list(true))[0]?.resolved?.by, 'a test');
  });
});
