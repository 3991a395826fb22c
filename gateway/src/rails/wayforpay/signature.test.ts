/**
 * Checks the signature against published values, and against values computed from the documented rule with another
 * tool.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Secret } from '../../foundation/secret.ts';
import type { JsonObject } from '../kit/provider-json.ts';
import { isOrderSigned, plainNumber, SIGNED, signatureOf, writeJson, writeSigned } from './signature.ts';

/** The key of WayForPay's own test account. */
const KEY = new Secret('flk3409refn54t54t*FNJRET');
const signed = (text: string) => signatureOf(text.split(';'), KEY);

describe('WayForPay’s signature', () => {
  it('the WayForPay signature of a purchase in UTF-8 equals the signature that a client published', () => {
    const text =
      'test_merch_n1;www.market.ua;DH783023;1415379863;1547.36;UAH;' +
      "Процесор Intel Core i5-4670 3.4GHz;Пам'ять Kingston DDR3-1600 4096MB PC3-12800;1;1;1000;547.36";
    assert.equal(signed(text), 'ee828f71ed93441c07eb3eef67762a5c');
  });

  const requests: readonly (readonly [name: keyof typeof SIGNED, fields: Record<string, string>, signature: string])[] =
    [
      ['P2P_CREDIT', { cardBeneficiary: '4111111111111111' }, '43681e042a2015314aef9c6c059b7368'],
      ['P2P_CREDIT', { rec2Token: 'tok-1' }, '16c21fb3466de18b9f5d863081d777d4'],
      [
        'P2P_ACCOUNT',
        {
          orderReference: 'ORD_P2P_001',
          amount: '1500',
          iban: 'UA213223130000026007233566001',
          okpo: '12345678',
          accountName: 'Test Receiver',
        },
        '363904d2e62b5b8bf125952ba159579a',
      ],
      ['CHECK_STATUS', {}, '361961e9cd4477f5be5b0091edfe0da6'],
      ['CHECK_STATUS', { orderReference: '1212dd1' }, 'b22a1c2cfe57b2d69c61c96df070fffc'],
      ['TRANSACTION_LIST', { dateBegin: '1415379000', dateEnd: '1415379999' }, 'fe8637312a2ca87b33e9c82ee141c609'],
      ['BALANCE', {}, 'b1e5ea3e24d3301f396f6ddf23bdaf19'],
    ];
  for (const [name, fields, signature] of requests)
    it(`the WayForPay signature of ${name} with ${Object.keys(fields).join(', ') || 'nothing more'} puts each field in its place`, () => {
      const all = { merchantAccount: 'test_merch_n1', orderReference: 'P1', amount: '100', currency: 'UAH', ...fields };
      assert.equal(JSON.parse(writeSigned(all, SIGNED[name], KEY)).merchantSignature, signature);
    });

  it('our acknowledgement to WayForPay is signed over reference, status and time', () => {
    assert.equal(signed('P1;accept;1415379863'), '1bc7994ea83e07d82b2ef3bef4333e2f');
  });
});

describe('signed JSON', () => {
  it('signed JSON for WayForPay writes each number exactly as it is signed', () => {
    const kopecks = fc.bigInt({ min: 1n, max: 99_999_999_999_999n });
    fc.assert(
      fc.property(kopecks, (minor) => {
        const text = plainNumber(`${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`);
        assert.equal(writeJson({ amount: text }), `{"amount":${text}}`);
        assert.equal(String(JSON.parse(text)), text, 'as whoever reads it as a number spells it again');
      }),
    );
  });
});

describe('signatures of WayForPay’s statements', () => {
  const said: JsonObject = {
    merchantAccount: 'test_merch_n1',
    orderReference: 'P1',
    amount: '100',
    currency: 'UAH',
    authCode: '123456',
    cardPan: '41****1111',
    createdDate: '1415379863',
    processingDate: '1415379864',
    transactionStatus: 'Approved',
    reasonCode: '1100',
  };

  const orders: readonly (readonly [whose: string, signature: string])[] = [
    ['a payout to a card', '72e9eca3921a77ab0871198965a31e4e'],
    ['a payout to an account', signed('test_merch_n1;P1;100;UAH;Approved;1100')],
    ['CHECK_STATUS', 'b3cbbfd5578c606794007e2aa27b0855'],
    ['a card by another client', signed('test_merch_n1;P1;100;UAH;123456;1415379863;1415379864;Approved;1100')],
  ];
  for (const [whose, merchantSignature] of orders) {
    it(`a WayForPay statement is accepted under the signature of ${whose}`, () => {
      assert.ok(isOrderSigned({ ...said, merchantSignature }, KEY));
      assert.ok(isOrderSigned({ ...said, merchantSignature, amount: '100.00' }, KEY));
    });

    for (const change of [
      { merchantAccount: 'test_merch_n2' },
      { orderReference: 'P2' },
      { amount: '1000' },
      { currency: 'USD' },
      { transactionStatus: 'Declined' },
      { reasonCode: '1101' },
    ])
      it(`a WayForPay statement under the signature of ${whose} is rejected with another ${Object.keys(change)[0]}`, () => {
        assert.equal(isOrderSigned({ ...said, merchantSignature, ...change }, KEY), false);
      });
  }

  it('a WayForPay statement is rejected under another key, a changed signature, or none', () => {
    const right = signed('test_merch_n1;P1;100;UAH;123456;Approved;1100');
    for (const merchantSignature of ['', right.toUpperCase(), right.slice(1), `${right}0`])
      assert.equal(isOrderSigned({ ...said, merchantSignature }, KEY), false);
    assert.equal(isOrderSigned({ ...said, merchantSignature: right }, new Secret('another')), false);
    assert.equal(isOrderSigned(said, KEY), false);
  });
});
