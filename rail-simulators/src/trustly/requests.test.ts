/** The client's calls to Trustly over real HTTP: accepted calls, rejections, and repeated calls. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eachOf } from '../kernel/inbox-under-test.ts';
import {
  depositData,
  errorOf,
  isTrustlys,
  newUuid,
  opened,
  PASSWORD,
  signed,
  startTrustlyUnderTest,
  USERNAME,
} from './under-test.ts';

describe('Trustly’s Deposit call', () => {
  it('a signed Trustly Deposit opens an order, and Trustly signs the response', async (t) => {
    const trustly = await startTrustlyUnderTest(t);
    const { status, body } = await trustly.deposit();
    assert.equal(status, 200);
    const { signature, uuid, method, data } = body['result'] as Record<string, string>;
    assert.ok(isTrustlys(method ?? '', uuid ?? '', data, signature));
    assert.match(opened({ status, body }).url, new RegExp(`^${trustly.url}/checkout\\?OrderID=219\\d+&SessionID=`));
    assert.deepEqual(await trustly.summary(), {
      orders: 1,
      open: 1,
      pending: 0,
      cancelled: 0,
      credits: 0,
      credited_amount: '0.00',
      debits: 0,
      refunds: 0,
      refunded_amount: '0.00',
      balance: '0.00',
      charged_over_once: [],
    });
  });

  it('a Trustly Deposit may use the old signature method', async (t) => {
    const trustly = await startTrustlyUnderTest(t);
    const [uuid, data] = [newUuid(), depositData(trustly.inbox.url)];
    const answer = await trustly.call('Deposit', data, {
      UUID: uuid,
      Signature: signed('Deposit', uuid, data, 'SHA1'),
    });
    assert.ok(opened(answer).orderid);
  });

  it('a repeated Trustly Deposit gets the first response and is not processed again', async (t) => {
    const trustly = await startTrustlyUnderTest(t);
    const [uuid, data] = [newUuid(), depositData(trustly.inbox.url)];
    const first = opened(await trustly.call('Deposit', data, { UUID: uuid }));
    assert.deepEqual(opened(await trustly.call('Deposit', data, { UUID: uuid })), first);
    assert.equal((await trustly.summary())['orders'], 1);
    assert.equal(errorOf(await trustly.call('Deposit', data)), 637, 'another UUID');
    const other = { ...data, EndUserID: 'somebody else' };
    assert.equal(errorOf(await trustly.call('Deposit', other, { UUID: uuid })), 637, 'another content');
    assert.equal((await trustly.summary())['orders'], 1);
  });

  const refusals: readonly (readonly [what: string, fields: Record<string, unknown>, code: number])[] = [
    ['another user', { Username: 'other' }, 616],
    ['another password', { Password: 'other' }, 616],
    ['no MessageID', { MessageID: '' }, 623],
    ['a question mark in the NotificationURL', { NotificationURL: 'https://shop.example/?a' }, 623],
    ['no first name', { attributes: { Firstname: '' } }, 623],
    ['no ShopperStatement', { attributes: { ShopperStatement: null } }, 623],
    ['a return address that is none', { attributes: { SuccessURL: 'x' } }, 623],
    ['a locale that is none', { attributes: { Locale: 'english' } }, 623],
    ['a target that is none', { attributes: { URLTarget: '_blank' } }, 623],
    ['another currency', { attributes: { Currency: 'XTS' } }, 622],
    ['an amount without decimals', { attributes: { Amount: '12' } }, 615],
    ['an amount of nothing', { attributes: { Amount: '0.00' } }, 615],
  ];
  it('a Trustly Deposit with an invalid field is rejected with a signed error', async (t) => {
    const trustly = await startTrustlyUnderTest(t);
    await eachOf(refusals, async ([_what, fields, code]) => {
      const answer = await trustly.deposit(fields);
      assert.equal(errorOf(answer), code);
      const { error } = answer.body['error'] as { error: Record<string, string> };
      assert.ok(isTrustlys(error['method'] ?? '', error['uuid'] ?? '', error['data'], error['signature']));
      assert.equal((await trustly.summary())['orders'], 0);
    });
  });

  it('a Trustly Deposit is rejected with an invalid signature, without a signature, or without a registered key', async (t) => {
    const trustly = await startTrustlyUnderTest(t);
    for (const Signature of [signed('Deposit', newUuid(), {}), '', 'alg=RS256;', null, 7]) {
      assert.equal(errorOf(await trustly.deposit({}, { Signature })), 636, String(Signature));
    }
    const keyless = await startTrustlyUnderTest(t, { findPublicKey: () => undefined });
    assert.equal(errorOf(await keyless.deposit()), 639);
  });

  it('the response to an unreadable Trustly call has no UUID and no method', async (t) => {
    const trustly = await startTrustlyUnderTest(t);
    for (const body of ['', 'x', '[]', '{}', '{"method":"Deposit","params":{"UUID":"x"}}']) {
      const answer = await fetch(`${trustly.url}/api/1`, { method: 'POST', body });
      const { error } = (await answer.json()) as { error: { code: number; error: Record<string, unknown> } };
      assert.deepEqual([error.code, error.error['uuid'], error.error['method']], [623, null, null], body);
    }
  });
});

describe('Trustly’s Refund call', () => {
  async function paid(trustly: Awaited<ReturnType<typeof startTrustlyUnderTest>>): Promise<string> {
    const { orderid } = opened(await trustly.deposit());
    await trustly.control('act', { orderid, behaviour: 'pay' });
    return orderid;
  }
  const data = (OrderID: string, Amount: string) => {
    return { Username: USERNAME, Password: PASSWORD, OrderID, Amount, Currency: 'EUR', Attributes: null };
  };
  const resultOf = (answer: { readonly body: Readonly<Record<string, unknown>> }) =>
    (answer.body['result'] as { data: unknown } | undefined)?.data;

  it('Trustly refunds return a payment in parts, never more than it', async (t) => {
    const trustly = await startTrustlyUnderTest(t);
    const orderid = await paid(trustly);
    assert.deepEqual(resultOf(await trustly.call('Refund', data(orderid, '10.00'))), { orderid, result: '1' });
    assert.equal(errorOf(await trustly.call('Refund', data(orderid, '2.35'))), 615);
    assert.deepEqual(resultOf(await trustly.call('Refund', data(orderid, '2.34'))), { orderid, result: '1' });
    const { refunds, refunded_amount, balance } = await trustly.summary();
    assert.deepEqual([refunds, refunded_amount, balance], [2, '12.34', '0.00']);
  });

  it('a repeated Trustly Refund call refunds once', async (t) => {
    const trustly = await startTrustlyUnderTest(t);
    const [orderid, UUID] = [await paid(trustly), newUuid()];
    for (let times = 0; times < 3; times++) {
      assert.deepEqual(resultOf(await trustly.call('Refund', data(orderid, '5.00'), { UUID })), {
        orderid,
        result: '1',
      });
    }
    assert.equal((await trustly.summary())['refunded_amount'], '5.00');
  });

  it('a Trustly Refund of an unknown or unpaid order is rejected', async (t) => {
    const trustly = await startTrustlyUnderTest(t);
    const { orderid } = opened(await trustly.deposit());
    for (const unpaid of [orderid, '1']) assert.equal(errorOf(await trustly.call('Refund', data(unpaid, '1.00'))), 623);
  });
});

describe('Trustly’s AccountLedger call', () => {
  it('the Trustly AccountLedger lists settled entries with their fees, between two dates', async (t) => {
    const trustly = await startTrustlyUnderTest(t);
    const list = async (FromDate: string, ToDate: string) => {
      const data = { Username: USERNAME, Password: PASSWORD, FromDate, ToDate, Currency: null };
      const { body } = await trustly.call('AccountLedger', data);
      return (body['result'] as { data: Record<string, unknown>[] }).data;
    };
    const { orderid } = opened(await trustly.deposit());
    assert.deepEqual(await list('2026-01-01', '2026-01-02'), []);
    await trustly.control('act', { orderid, behaviour: 'pay' });
    const { orderid: failing } = opened(await trustly.deposit());
    await trustly.control('act', { orderid: failing, behaviour: 'pay_and_fail' });
    const rows = await list('2026-01-01', '2026-01-02');
    assert.deepEqual(
      rows.map((row) => [row['orderid'], row['accountname'], row['amount']]),
      [
        [orderid, 'SUSPENSE_ACCOUNT_CLIENT_FUNDS_FINLAND_OKOY', '12.34000000'],
        [orderid, 'TRANSACTION_FEE_BANK_DEPOSIT', '-0.35000000'],
      ],
    );
    assert.deepEqual(await list('2025-12-31', '2026-01-01'), []);
  });

  it('Trustly rejects any other method', async (t) => {
    const trustly = await startTrustlyUnderTest(t);
    assert.equal(errorOf(await trustly.call('Withdraw', { Username: USERNAME, Password: PASSWORD })), 602);
  });
});
