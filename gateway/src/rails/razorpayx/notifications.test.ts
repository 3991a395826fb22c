/** Reads webhooks from bytes as RazorpayX's pages show them, and as its simulator sends them. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { noDeadline } from '../../../test/support/tools/deadlines.ts';
import type { PayoutNews } from '../../domain/notifications/rail-notification.ts';
import { SECOND_MS } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';
import { createRazorpayXNotifications } from './notifications.ts';
import { openRazorpayXUnderTest, type RazorpayXUnderTest } from './rail-under-test.ts';

const SECRETS = ['new-secret', 'old-secret'] as const;
const notifications = createRazorpayXNotifications({ webhookSecrets: SECRETS.map((secret) => new Secret(secret)) });

function read(sent: unknown, secret: string = SECRETS[0]) {
  const body = Buffer.from(typeof sent === 'string' ? sent : JSON.stringify(sent));
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return notifications.read({ body, headers: { 'x-razorpay-signature': signature }, clientAddress: '198.51.100.1' });
}

/** The example of the page about payout webhooks, with our reference. */
const notification = (change: object = {}, event = 'payout.reversed') => ({
  entity: 'event',
  account_id: 'acc_BfVUrG6tDiL7H0',
  event,
  contains: ['payout'],
  payload: {
    payout: {
      entity: {
        id: 'pout_1Aa00000000001',
        entity: 'payout',
        fund_account_id: 'fa_1Aa00000000001',
        amount: 21_200,
        currency: 'INR',
        notes: {},
        fees: 9,
        tax: 2,
        status: 'reversed',
        purpose: 'payout',
        utr: 'qwer12uijaaasssd',
        mode: 'IMPS',
        reference_id: '17-AbCd1234',
        narration: 'Acme Fund Transfer',
        debit_account_number: 'null',
        batch_id: null,
        status_details: { description: 'Some text.', source: 'beneficiary_bank', reason: 'beneficiary_bank_offline' },
        created_at: 1_580_118_057,
        fee_type: '',
        ...change,
      },
    },
  },
  created_at: 1_580_118_468,
});

const about = { reference: '17-AbCd1234', money: { currency: 'INR', minor: 21_200n } };
const newsOf = (reading: ReturnType<typeof read>) => (reading.ok ? reading.value.news : reading.error);

describe('RazorpayX webhooks', () => {
  it('a RazorpayX webhook reports an execution, a decline or a reversal by the payout’s status', () => {
    assert.deepEqual(newsOf(read(notification())), [
      { kind: 'reversed', reason: 'RazorpayX reports reversed: beneficiary_bank_offline', ...about },
    ]);
    const processed = { status: 'processed', status_details: null };
    for (const event of ['payout.processed', 'payout.updated', 'payout.initiated'])
      assert.deepEqual(newsOf(read(notification(processed, event))), [{ kind: 'executed', ...about }]);
    assert.deepEqual(newsOf(read(notification({ status: 'failed' }, 'payout.failed'))), [
      {
        kind: 'declined',
        blockedReason: 'bank_declined',
        reason: 'RazorpayX reports failed: beneficiary_bank_offline',
        ...about,
      },
    ]);
  });

  it('a RazorpayX webhook without a final status, about another client’s payout or about no payout is acknowledged and ignored', () => {
    for (const event of [
      notification({ status: 'processing' }, 'payout.initiated'),
      notification({ status: 'queued' }, 'payout.queued'),
      notification({ status: 'a_new_one' }),
      notification({ reference_id: null }),
      notification({ reference_id: 'salary of June' }),
      { ...notification(), event: 'payout.downtime.started', payload: { 'payout.downtime': { entity: {} } } },
      { ...notification(), event: 'transaction.created', payload: { transaction: { entity: {} } } },
    ]) {
      const reading = read(event);
      assert.deepEqual(newsOf(reading), [], JSON.stringify(event));
      assert.equal(reading.ok && reading.value.acknowledgement.status, 200);
    }
  });

  it('a RazorpayX webhook is accepted under either secret, and unauthentic under any other', () => {
    assert.ok(read(notification(), 'old-secret').ok);
    assert.deepEqual(read(notification(), 'a third'), { ok: false, error: { kind: 'unauthentic' } });
    const unsigned = { body: Buffer.from(JSON.stringify(notification())), headers: {}, clientAddress: '' };
    assert.deepEqual(notifications.read(unsigned), { ok: false, error: { kind: 'unauthentic' } });
  });

  it('a RazorpayX webhook with a valid signature but unusable content is malformed', () => {
    for (const event of [
      '',
      '[]',
      '{',
      notification({ amount: '1e3' }),
      notification({ currency: 'USD' }),
      notification({ id: 7 }),
    ])
      assert.equal(
        (newsOf(read(event)) as { kind?: string }).kind,
        'malformed',
        typeof event === 'string' ? event : JSON.stringify(event),
      );
  });
});

describe('webhooks of RazorpayX’s simulator', () => {
  let bench: RazorpayXUnderTest;
  before(async () => {
    bench = await openRazorpayXUnderTest();
  });
  beforeEach(() => bench.reset());
  after(() => bench.close());

  const executed = (reference: string) => [{ kind: 'executed', reference, money: { currency: 'INR', minor: 10_025n } }];

  it('webhooks report a RazorpayX payout’s final status and its later reversal', async () => {
    await bench.control('faults', { payouts: 'reverse', fail_reason: 'beneficiary_bank_offline' });
    const order = bench.order();
    await bench.rail.send(order, noDeadline());
    await bench.untilNotified(1);
    bench.clock.advance(2 * SECOND_MS);
    await bench.untilNotified(3);
    bench.clock.advance(3 * SECOND_MS);
    const all = await bench.untilNotified(4);
    const { reference, money } = order;
    const reversed = {
      kind: 'reversed',
      reason: 'RazorpayX reports reversed: beneficiary_bank_offline',
      reference,
      money,
    };
    assert.deepEqual(all, [[], executed(reference), executed(reference), [reversed]]);
  });

  it('a RazorpayX webhook may arrive before the response', async () => {
    await bench.control('faults', { calls: 'processed_before_reply' });
    const order = bench.order();
    await bench.rail.send(order, noDeadline());
    assert.ok(bench.notified.some((news) => Array.isArray(news) && news.length === 1));
  });

  it('a RazorpayX webhook with another amount reports that amount', async () => {
    await bench.control('faults', { notifications: 'wrong_amount', payouts: 'process_at_once' });
    await bench.rail.send(bench.order(), noDeadline());
    const [news] = await bench.untilNotified(1);
    assert.deepEqual((news as readonly PayoutNews[])[0]?.money, { currency: 'INR', minor: 99_999_999n });
  });

  it('a RazorpayX webhook signed with a different secret is unauthentic', async () => {
    await bench.control('faults', { notifications: 'forged', payouts: 'process_at_once' });
    await bench.rail.send(bench.order(), noDeadline());
    assert.deepEqual(await bench.untilNotified(1), [{ failure: 'unauthentic' }]);
  });
});
