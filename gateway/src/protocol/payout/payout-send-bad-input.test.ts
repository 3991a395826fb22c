/** Hostile and broken requests: each gets the right rejection, never 5xx, and none reaches the domain. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { WIRE_KEY } from '../../../test/support/merchants/wire-merchants.ts';
import { fullySigned, payoutRequest, post, type RequestFields } from '../../../test/support/payouts/payout-request.ts';
import { type PayoutWire, startPayoutWire } from '../../../test/support/payouts/payout-wire.ts';
import { BAD_AMOUNTS } from '../../../test/support/tools/bad-amounts.ts';

const SEND = '/merchant/api/payout_send';
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

/** A valid request for each endpoint. */
const ENDPOINTS: Readonly<Record<string, () => RequestFields>> = {
  [SEND]: () => payoutRequest({ merchant: 'M1', key: WIRE_KEY, method: 9, payoutId: 'B1' }),
  '/merchant/api/payout_status': () => fullySigned({ merchant: 'M1', payout_id: 'B1' }, WIRE_KEY),
  '/payment/balance': () => fullySigned({ merchant: 'M1', currency: 'USD' }, WIRE_KEY),
  '/api/payment-list': () =>
    fullySigned(
      {
        merchant: 'M1',
        currency: 'USD',
        order: '0',
        start_date: '2026-01-01',
        finish_date: '2027-01-01',
        status: 'all',
        type: 'withdrawal',
      },
      WIRE_KEY,
    ),
};

describe('bad input', () => {
  let wire: PayoutWire;
  before(async () => {
    wire = await startPayoutWire();
  });
  after(() => wire.stop());
  beforeEach(() => {
    wire.submissions.length = 0;
    wire.listQueries.length = 0;
  });
  afterEach(() => {
    assert.deepEqual(wire.internalErrors, []);
    assert.equal(wire.payouts.size, 0);
  });

  const description = async (path: string, body: RequestFields | string | Buffer, headers = {}) => {
    const answer = await post(wire.url + path, body, headers);
    assert.ok(answer.status < 500);
    return (answer.json as Record<string, string>)['description'];
  };

  for (const amount of [...BAD_AMOUNTS, '1\0']) {
    it(`payout_send rejects the amount ${JSON.stringify(amount).slice(0, 30)} with the field’s name`, async () => {
      const expected = amount.includes('\0') ? 'Invalid body' : 'Invalid amount';
      const request = payoutRequest({ merchant: 'M1', key: WIRE_KEY, method: 9, payoutId: 'B1', change: { amount } });
      assert.equal(await description(SEND, request), expected);
      const form = new URLSearchParams(request as Record<string, string>).toString();
      assert.equal(await description(SEND, form, FORM_TYPE), expected);
    });
  }

  it('payout_send rejects every amount that is a JSON number', async () => {
    const text = JSON.stringify({
      ...payoutRequest({ merchant: 'M1', key: WIRE_KEY, method: 9, payoutId: 'B1' }),
      amount: 'HERE',
    });
    for (const number of ['10', '10.00', '1e3', '-0', '0', '1'.repeat(400)]) {
      assert.equal(await description(SEND, text.replace('"HERE"', number)), 'Invalid amount', number);
    }
    assert.equal(await description(SEND, text.replace('"HERE"', '01')), 'Invalid body');
  });

  for (const [path, valid] of Object.entries(ENDPOINTS)) {
    describe(path, () => {
      /** Ways to damage a valid body. The gateway responds to each with 400. */
      const damages: Readonly<Record<string, (text: string) => string | Buffer>> = {
        'a repeated key': (text) => text.replace('{', '{"merchant":"M1",'),
        'a key repeated in another spelling': (text) => text.replace('{', '{"\\u006derchant":"M1",'),
        'a key repeated further in': (text) => text.replace('{', '{"x":{"a":1,"a":2},'),
        __proto__: (text) => text.replace('{', '{"__proto__":{"merchant":"M1"},'),
        'a lone surrogate': (text) => text.replace('{', '{"x":"\\udc00",'),
        NUL: (text) => text.replace('{', '{"x":"\\u0000",'),
        'an unescaped NUL': (text) => text.replace('{', '{"x":"\0",'),
        'a byte order mark': (text) => `\ufeff${text}`,
        'invalid UTF-8': (text) =>
          Buffer.concat([Buffer.from(text.replace('}', ',"x":"')), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]),
        'an overlong encoding': (text) =>
          Buffer.concat([Buffer.from(text.replace('}', ',"x":"')), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]),
        'UTF-16': (text) => Buffer.from(text, 'utf16le'),
        'depth 10,000': (text) => text.replace('{', `{"x":${'['.repeat(10_000)}${']'.repeat(10_000)},`),
        'trailing bytes': (text) => `${text}x`,
        'a trailing NUL': (text) => `${text}\0`,
        'another document after it': (text) => text + text,
        'an array around it': (text) => `[${text}]`,
        'text around it': (text) => JSON.stringify(text),
      };
      for (const [what, damage] of Object.entries(damages)) {
        it(`${path} rejects a body with ${what}`, async () => {
          const answer = await post(wire.url + path, damage(JSON.stringify(valid())));
          assert.equal(answer.status, 400);
          assert.equal((answer.json as Record<string, string>)['description'], 'Invalid body');
          assert.equal(wire.submissions.length + wire.listQueries.length, 0);
        });
      }

      it(`${path} rejects a form with a repeated name, an invalid percent sequence or invalid UTF-8`, async () => {
        const form = new URLSearchParams(valid() as Record<string, string>).toString();
        for (const more of [
          '&merchant=M1',
          '&%6derchant=M1',
          '&x=%',
          '&x=%zz',
          '&x=%ff',
          '&x=%ed%a0%80',
          '&',
          '&=1',
          '&__proto__=1',
        ]) {
          const answer = await post(wire.url + path, form + more, FORM_TYPE);
          assert.equal(answer.status, 400, more);
        }
        assert.equal(
          (await post(wire.url + path, Buffer.concat([Buffer.from(`${form}&x=`), Buffer.from([0xff])]), FORM_TYPE))
            .status,
          400,
        );
      });

      it(`${path} rejects a signature that is altered, empty, or made with an empty or another merchant’s key`, async () => {
        const sign = String(valid()['sign']);
        const { sign: _, ...fields } = valid();
        const others = [
          fullySigned(fields, ''),
          fullySigned(fields, 'another'),
          fullySigned({ ...fields, more: 'x' }, WIRE_KEY),
        ];
        const signs = [
          sign.toUpperCase(),
          sign.toLowerCase(),
          sign.slice(0, 12),
          '',
          ...others.map((other) => other['sign']),
        ];
        for (const wrong of signs)
          assert.equal(await description(path, { ...valid(), sign: wrong }), 'Sign error', String(wrong));
        const base64OfHex = btoa(Buffer.from(sign, 'base64').toString('hex'));
        assert.equal(await description(path, { ...valid(), sign: base64OfHex }), 'Sign error');
        assert.equal(wire.submissions.length + wire.listQueries.length, 0);
      });

      it(`${path} rejects a field of a wrong type with its name, never with 5xx`, async () => {
        for (const name of Object.keys(valid())) {
          for (const value of [0, 1.5, true, false, [], {}, ['x'], { toString: 'x' }]) {
            const expected = name === 'sign' ? 'Sign error' : `Invalid ${name}`;
            if (name === 'method' && path === SEND && value === 0) continue;
            assert.equal(await description(path, { ...valid(), [name]: value }), expected, JSON.stringify(value));
          }
        }
        assert.equal(wire.submissions.length + wire.listQueries.length, 0);
      });
    });
  }

  it('the balance request treats names of JavaScript’s built-in properties as unknown fields', async () => {
    for (const name of ['constructor', 'toString', 'hasOwnProperty', 'prototype']) {
      const text = JSON.stringify(fullySigned({ merchant: 'M1', currency: 'USD', [name]: 'x' }, WIRE_KEY));
      assert.equal(await description('/payment/balance', text), `Invalid ${name}`);
    }
    for (const merchant of ['constructor', '__proto__', 'toString']) {
      assert.equal(
        await description('/payment/balance', fullySigned({ merchant, currency: 'USD' }, WIRE_KEY)),
        'Merchant not found',
      );
    }
  });

  it('a form field with NUL makes the entire body invalid, as in JSON', async () => {
    for (const [name, value] of [
      ['account', '4111111111111111\0'],
      ['payout_id', 'B1\0'],
      ['full_name', 'Jo\0'],
      ['currency', 'EUR\0'],
    ] as const) {
      const request = payoutRequest({
        merchant: 'M1',
        key: WIRE_KEY,
        method: 9,
        payoutId: 'B1',
        change: { [name]: value },
      });
      const form = new URLSearchParams(request as Record<string, string>).toString();
      assert.equal(await description(SEND, form, FORM_TYPE), 'Invalid body', name);
    }
  });

  it('payout_send rejects the sandbox method in a real currency and a real method in the sandbox’s currency', async () => {
    const change = (method: number, currency: string) =>
      payoutRequest({ merchant: 'M1', key: WIRE_KEY, method, payoutId: 'B1', change: { currency } });
    assert.equal(await description(SEND, change(70, 'EUR')), 'Currency not supported');
    assert.equal(await description(SEND, change(9, 'TST')), 'Currency not supported');
  });

  it('a rejection never repeats a card number or a key', async () => {
    const request = payoutRequest({
      merchant: 'M1',
      key: WIRE_KEY,
      method: 34,
      payoutId: 'B1',
      change: { '4111111111111111 x': 5 },
    });
    const { text } = await post(wire.url + SEND, request);
    assert.ok(!text.includes('4111111111111111') && !text.includes(WIRE_KEY));
  });
});
