/** WayForPay: payouts, and repeated requests with one reference. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MINUTE_MS } from '../clock.ts';
import { eachOf } from '../kernel/inbox-under-test.ts';
import { assertUnanswered } from '../kernel/simulator-under-test.ts';
import { ACCOUNT, card, hmac, startWayForPayUnderTest } from './under-test.ts';

describe('a request to WayForPay', () => {
  it('a WayForPay request needs the client’s signature over the values that it contains', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    const wrong: readonly (readonly [change: object, code: number])[] = [
      [{ merchantAccount: 'another' }, 1121],
      [{ merchantSignature: '' }, 1113],
      [{ merchantSignature: hmac('test_merch_n1') }, 1113],
      [{ ...card(), amount: 100.51 }, 1113],
    ];
    for (const [change, code] of wrong) {
      const { status, body } = await wayforpay.toCard(change as Record<string, unknown>);
      assert.deepEqual([status, body['reasonCode'], body['transactionStatus']], [200, code, undefined]);
    }
    assert.equal((await wayforpay.summary())['references'], 0);
  });

  it('a WayForPay request may write its number in any form that it signs', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    const text = JSON.stringify(card({ amount: '100.70', orderReference: 'P1' })).replace('"100.70"', '100.70');
    const { body } = await wayforpay.post('/api', text);
    assert.equal(body['transactionStatus'], 'Approved');
    assert.equal(body['merchantSignature'], hmac('test_merch_n1;P1;100.7;UAH;123456;Approved;1100'));
  });

  const refused: readonly (readonly [what: 'toCard' | 'toAccount', change: object, code: number])[] = [
    ['toCard', { orderReference: '' }, 1115],
    ['toCard', { apiVersion: undefined }, 1115],
    ['toCard', { cardBeneficiary: undefined }, 1115],
    ['toCard', { rec2Token: 'tok-1' }, 1109],
    ['toCard', { cardBeneficiary: undefined, rec2Token: 'tok-1' }, 1116],
    ['toCard', { cardBeneficiary: '4111111111111112' }, 1105],
    ['toCard', { currency: 'USD' }, 1110],
    ['toCard', { amount: 0 }, 1130],
    ['toCard', { amount: 1.005 }, 1130],
    ['toCard', { orderReference: 'x'.repeat(65) }, 1109],
    ['toAccount', { okpo: '' }, 1115],
    ['toAccount', { accountName: undefined }, 1115],
    ['toAccount', { iban: 'UA213223130000026007233566002' }, 1109],
    ['toAccount', { iban: 'NL91ABNA0417164300' }, 1109],
    ['toAccount', { okpo: '12' }, 1109],
  ];
  it('a WayForPay request with an invalid field is rejected with HTTP 200 and a code for that field', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    await eachOf(refused, async ([what, change, code]) => {
      const { status, body } = await wayforpay[what](change as Record<string, unknown>);
      assert.deepEqual([status, body['reasonCode'], body['merchantSignature']], [200, code, undefined]);
      assert.equal((await wayforpay.summary())['references'], 0);
    });
  });

  it('an empty or unknown WayForPay request is rejected', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    for (const [body, code] of [
      ['', 1109],
      ['[]', 1109],
      ['{}', 1115],
      ['{"transactionType":"PURCHASE"}', 1117],
      ['{"transactionType":"constructor"}', 1117],
    ] as const)
      assert.equal((await wayforpay.post('/api', body)).body['reasonCode'], code);
  });
});

describe('a payout at WayForPay', () => {
  it('WayForPay signs an approved card payout with the signature of its kind, and its status with the general signature', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    const { body } = await wayforpay.toCard({ orderReference: 'P1' });
    assert.deepEqual(
      ['merchantAccount', 'amount', 'transactionStatus', 'reasonCode', 'cardPan'].map((name) => body[name]),
      [ACCOUNT.merchantAccount, 100.7, 'Approved', 1100, '41****1111'],
    );
    assert.equal(body['merchantSignature'], hmac('test_merch_n1;P1;100.7;UAH;123456;Approved;1100'));
    const found = (await wayforpay.statusOf('P1')).body;
    assert.equal(found['merchantSignature'], hmac('test_merch_n1;P1;100.7;UAH;123456;41****1111;Approved;1100'));
    assert.deepEqual((await wayforpay.statusOf('P2')).body, { reason: 'Order Not Found', reasonCode: 1127 });
  });

  it('the signature of a WayForPay account payout covers neither a card nor a code', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    const { body } = await wayforpay.toAccount({ orderReference: 'P1', amount: 1500 });
    assert.equal(body['merchantSignature'], hmac('test_merch_n1;P1;1500;UAH;Approved;1100'));
    assert.equal('cardPan' in body, false);
  });

  it('WayForPay executes one payout for each reference, whatever a repeat contains', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    await wayforpay.toCard({ orderReference: 'P1' });
    for (const amount of [100.7, 7])
      assert.equal((await wayforpay.toCard({ orderReference: 'P1', amount })).body['reasonCode'], 1112);
    const { executions, repeats, executed_over_once } = await wayforpay.summary();
    assert.deepEqual([executions, repeats, executed_over_once], [1, 2, []]);
  });

  it('a WayForPay payout reduces the balance, which must suffice', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t, { opening: 20_000n });
    await wayforpay.toCard();
    assert.equal((await wayforpay.toCard()).body['reasonCode'], 1136);
    assert.deepEqual((await wayforpay.balance()).body, {
      reason: 'Ok',
      reasonCode: '1100',
      merchantAccount: ACCOUNT.merchantAccount,
      balance_UAH: 99.3,
    });
    assert.equal((await wayforpay.toCard({ amount: 99.3 })).body['reasonCode'], 1100);
  });

  const modes: readonly (readonly [payouts: string, code: number, executions: number, later: string])[] = [
    ['decline', 1140, 0, 'Declined'],
    ['approve_later', 1131, 1, 'Approved'],
    ['decline_later', 1131, 0, 'Declined'],
    ['reverse_later', 1100, 1, 'Refunded'],
    ['approve_and_answer_error', 1129, 1, 'Approved'],
    ['approve_notified_first', 1100, 1, 'Approved'],
    ['answer_error', 1129, 0, ''],
    ['refuse', 1140, 0, ''],
    ['no_float', 1136, 0, ''],
  ];
  it('the “payouts” fault sets the response and the outcome of a WayForPay payout', async (t) => {
    await eachOf(modes, async ([payouts, code, executions, later]) => {
      const wayforpay = await startWayForPayUnderTest(t);
      await wayforpay.faults({ payouts, reason_code: 1140 });
      assert.equal((await wayforpay.toCard({ orderReference: 'P1' })).body['reasonCode'], code);
      wayforpay.clock.advance(MINUTE_MS);
      const { body } = await wayforpay.statusOf('P1');
      assert.equal(body['transactionStatus'] ?? '', later);
      assert.equal((await wayforpay.summary())['executions'], executions);
    });
  });

  for (const [payouts, executions] of [
    ['approve_unanswered', 1],
    ['lose', 0],
  ] as const)
    it(`WayForPay never responds to a payout under the fault ${payouts}`, async (t) => {
      const wayforpay = await startWayForPayUnderTest(t);
      await wayforpay.faults({ payouts });
      await assertUnanswered(wayforpay, wayforpay.toCard());
      assert.equal((await wayforpay.summary())['executions'], executions);
    });

  it('the fault approve_500 makes WayForPay execute a payout and return an error', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    await wayforpay.faults({ payouts: 'approve_500' });
    assert.equal((await wayforpay.toCard()).status, 500);
    assert.equal((await wayforpay.summary())['executions'], 1);
  });
});

describe('the queries of WayForPay', () => {
  it('the WayForPay list contains the payouts of a period, including both ends', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    const now = wayforpay.clock.now() / 1_000;
    await wayforpay.toCard({ orderReference: 'P1' });
    wayforpay.clock.advance(10_000);
    await wayforpay.toAccount({ orderReference: 'P2' });
    const rows = async (begin: number, end: number) =>
      ((await wayforpay.list(begin, end)).body['transactionList'] as Record<string, unknown>[]).map(
        (row) => `${row['transactionType']} ${row['orderReference']} ${row['amount']} ${row['transactionStatus']}`,
      );
    const [first, second] = ['P2P_CREDIT P1 100.7 Approved', 'P2P_ACCOUNT P2 100.7 Approved'];
    assert.deepEqual(await rows(now, now + 10), [first, second]);
    assert.deepEqual(await rows(now + 1, now + 10), [second]);
    assert.deepEqual(await rows(now - 10, now), [first]);
    assert.equal((await wayforpay.list(2, 1)).body['reasonCode'], 1109);
  });

  it('the “status” fault decides WayForPay’s response to a status query', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    await wayforpay.toCard({ orderReference: 'P1' });
    for (const [status, code] of [
      ['not_yet', 1127],
      ['answer_error', 1129],
      ['answer', 1100],
    ]) {
      await wayforpay.faults({ status });
      assert.equal((await wayforpay.statusOf('P1')).body['reasonCode'], code);
    }
  });
});

describe('a repeated reference at WayForPay', () => {
  it('WayForPay executes one of a hundred concurrent payouts with one reference', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    const answers = await Promise.all(Array.from({ length: 100 }, () => wayforpay.toCard({ orderReference: 'P1' })));
    const codes = answers.map(({ body }) => Number(body['reasonCode'])).sort();
    assert.deepEqual(codes, [1100, ...Array(99).fill(1112)]);
    const { executions, repeats } = await wayforpay.summary();
    assert.deepEqual([executions, repeats], [1, 99]);
  });

  const modes: readonly (readonly [amount: number, executions: number])[] = [
    [10, 2],
    [10.42, 2],
    [10.61, 2],
    [10.51, 0],
  ];
  it('without deduplication WayForPay executes a repeated reference again', async (t) => {
    await eachOf(modes, async ([amount, executions]) => {
      const wayforpay = await startWayForPayUnderTest(t);
      await wayforpay.faults({ dedupe: false });
      const pay = () => wayforpay.toCard({ orderReference: 'P1', amount });
      const { body } = await pay();
      assert.equal((await pay()).body['transactionStatus'], body['transactionStatus']);
      wayforpay.clock.advance(10_000);
      const summary = await wayforpay.summary();
      assert.deepEqual([summary['executions'], summary['repeats']], [executions, 1]);
      assert.deepEqual(summary['executed_over_once'], executions > 1 ? ['P1'] : []);
      assert.equal(summary['paid_out'], String(Math.round(amount * 100) * executions));
    });
  });

  it('without deduplication WayForPay responds to a repeated reference, even if it did not respond to the first request', async (t) => {
    const wayforpay = await startWayForPayUnderTest(t);
    await wayforpay.faults({ dedupe: false });
    const pay = () => wayforpay.toCard({ orderReference: 'P1', amount: 10.5 });
    assert.equal((await pay()).status, 500);
    assert.equal((await pay()).body['transactionStatus'], 'Approved');
    assert.equal((await wayforpay.summary())['executions'], 2);
  });
});
