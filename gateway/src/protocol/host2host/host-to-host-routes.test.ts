/** POST /api/v2/spei/host2host/create over HTTP, following the interface's host-to-host section line by line. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import vectors from '../../../../openapi/vectors/signatures.json' with { type: 'json' };
import { CREATE, depositRequest, reasonOf, useFreshWires } from '../../../test/support/deposits/host-to-host-wire.ts';
import { assertSignedBytes } from '../../../test/support/merchants/test-merchant.ts';
import { WIRE_KEY, WIRE_START } from '../../../test/support/merchants/wire-merchants.ts';
import { post, type WireAnswer, xSignHeaders } from '../../../test/support/payouts/payout-request.ts';

const { wire, send, reason } = useFreshWires();

describe('the host-to-host create request', () => {
  it('the response to a create request contains every documented field, in order', async () => {
    const answer = await send();
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
    const [deposit] = wire().deposits;
    assert.ok(deposit);
    assert.match(deposit.uuid, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    assert.equal(
      answer.text,
      JSON.stringify({
        status: 'success',
        transactionId: 1001,
        merchantUuid: 'M1',
        uuid: deposit.uuid,
        order: 'N17',
        description: 'Created',
        clabe: deposit.payTo,
        beneficiary: 'Shop of Shops',
      }),
    );
    assert.match(deposit.payTo, /^\d{18}$/);
  });

  it('the response to a create request contains an X-Sign under the request’s key, unless it is a rejection', async () => {
    wire().addMerchant('M1', { keys: ['new-key', 'old-key'] });
    for (const key of ['new-key', 'old-key']) {
      const body = JSON.stringify(depositRequest({ order: key }));
      const headers = xSignHeaders('M1', key, body);
      assertSignedBytes(await wire().send(body, headers), key);
      const again = await wire().send(body, headers);
      assert.deepEqual([reasonOf(again), again.headers.get('x-sign')], ['Order already exists', null]);
    }
  });

  it('a create request stores the amount, its original string and the payer as received', async () => {
    await send({ amount: '100.5' });
    const [deposit] = wire().deposits;
    assert.deepEqual(deposit?.money, { currency: 'MXN', minor: 10_050n });
    assert.equal(deposit?.amountText, '100.5');
    assert.deepEqual(deposit?.payer, { userId: 'u-1', firstName: 'José', lastName: "Muñoz O'Neil" });
    assert.equal(deposit?.state, 'pending');
  });

  it('a second create request for one order fails without a CLABE and releases its address', async () => {
    await send();
    const again = await send({ amount: '1.00' });
    assert.equal(reasonOf(again), 'Order already exists');
    assert.equal(wire().deposits.length, 1);
    assert.equal(wire().addressesReleased.length, 1);
    wire().addMerchant('M2', { keys: ['another key'] });
    const body = JSON.stringify(depositRequest());
    const other = await wire().send(body, xSignHeaders('M2', 'another key', body));
    assert.equal(reasonOf(other), 'Created', 'orders are each merchant’s own');
  });

  it('a create request accepts only names of A to Z under strict_names', async () => {
    wire().addMerchant('M1', { settings: { strict_names: 'on' } });
    assert.equal(await reason(), 'Invalid first_name');
    assert.equal(await reason({ first_name: 'Jose' }), 'Invalid last_name');
    assert.equal(await reason({ first_name: 'Jose', last_name: 'Munoz' }), 'Created');
  });

  it('a create request ignores unknown fields', async () => {
    assert.equal(await reason({ merchant: 'M2', sign: 5, extra: { deep: [null, 1.5] } }), 'Created');
  });
});

describe('X-Sign of create requests', () => {
  const [vector] = vectors.x_sign;
  assert.ok(vector);

  it('a create request with the published X-Sign vector is accepted', async () => {
    const answer = await wire().send(vector.body, { 'x-merchant': 'M1', 'x-sign': vector.sign });
    assert.equal(reasonOf(answer), 'Created');
    assert.equal(vector.sign.length, 88);
    assert.equal(vector.key, WIRE_KEY);
  });

  const spellings: Readonly<Record<string, string>> = {
    'slashes, escaped and not':
      '{"order":"1","note":"a/b\\/c","amount":"1","currency":"MXN","user_id":"u","first_name":"A","last_name":"B"}',
    'letters beyond ASCII': JSON.stringify(depositRequest({ first_name: 'Ñandú', note: 'メモ €' })),
    'letters written as escapes':
      '{"order":"1","amount":"1","currency":"MXN","user_id":"u","first_name":"Jos\\u00e9","last_name":"B"}',
    're-ordered keys': '{"last_name":"B","first_name":"A","user_id":"u","currency":"MXN","amount":"1","order":"1"}',
    'odd white space':
      ' \n{\t"order" : "1",\r\n"amount":"1" ,"currency":"MXN","user_id":"u","first_name":"A","last_name":"B" }\n\n',
  };
  for (const [what, body] of Object.entries(spellings)) {
    it(`X-Sign verifies the exact bytes of a create request: ${what}`, async () => {
      assert.equal(reasonOf(await wire().send(body)), 'Created');
    });
    it(`X-Sign is invalid for an equivalent body with different bytes: ${what}`, async () => {
      const rewritten = JSON.stringify(JSON.parse(body));
      const other = rewritten === body ? JSON.stringify(JSON.parse(body), null, 1) : rewritten;
      assert.equal(reasonOf(await wire().send(body, xSignHeaders('M1', WIRE_KEY, other))), 'Sign error');
      assert.equal(reasonOf(await wire().send(`${body} `, xSignHeaders('M1', WIRE_KEY, body))), 'Sign error');
      assert.equal(wire().deposits.length, 0);
    });
  }

  it('X-Sign must be the base64 of lower-case hexadecimal text', async () => {
    const body = JSON.stringify(depositRequest());
    const digest = createHmac('sha256', WIRE_KEY).update(body).digest();
    const hex = digest.toString('hex');
    const right = Buffer.from(hex).toString('base64');
    const wrong = {
      'base64 of raw bytes': digest.toString('base64'),
      'hexadecimal text': hex,
      'capital hexadecimal': Buffer.from(hex.toUpperCase()).toString('base64'),
      'another case': right.toLowerCase(),
      truncated: right.slice(0, -4),
      'without padding': right.replace(/=+$/, ''),
      longer: `${right}AAAA`,
      empty: '',
      'of another key': xSignHeaders('M1', 'another key', body)['x-sign'] ?? '',
      'of an empty key': xSignHeaders('M1', '', body)['x-sign'] ?? '',
    };
    for (const [what, sign] of Object.entries(wrong)) {
      const answer = await wire().send(body, { 'x-merchant': 'M1', 'x-sign': sign });
      assert.deepEqual([answer.status, reasonOf(answer)], [200, 'Sign error'], what);
    }
    assert.equal(reasonOf(await wire().send(body, { 'x-merchant': 'M1' })), 'Sign error', 'none at all');
    assert.equal(reasonOf(await wire().send(body, { 'x-merchant': 'M1', 'x-sign': right })), 'Created');
  });

  it('a create request may use the old key during a rotation and not after it', async () => {
    wire().addMerchant('M1', { keys: ['new-key', { key: 'old-key', retiresAt: WIRE_START + 1_000 }] });
    const with_ = (key: string, order: string) => {
      const body = JSON.stringify(depositRequest({ order }));
      return wire().send(body, xSignHeaders('M1', key, body));
    };
    assert.equal(reasonOf(await with_('new-key', 'A')), 'Created');
    assert.equal(reasonOf(await with_('old-key', 'B')), 'Created');
    assert.deepEqual(wire().keysUsed, ['M1 key-0', 'M1 key-1']);
    wire().clock.advance(1_000);
    assert.equal(reasonOf(await with_('old-key', 'C')), 'Sign error');
    wire().addMerchant('M1', { keys: [''] });
    assert.equal(reasonOf(await with_('', 'D')), 'Sign error');
    wire().addMerchant('M1', { keys: [] });
    assert.equal(reasonOf(await with_('new-key', 'E')), 'Sign error');
  });

  it('a create request verifies only under the keys of the merchant in X-Merchant', async () => {
    wire().addMerchant('M2', { keys: ['another key'] });
    const body = JSON.stringify(depositRequest());
    assert.equal(reasonOf(await wire().send(body, xSignHeaders('M2', WIRE_KEY, body))), 'Sign error');
    assert.equal(reasonOf(await wire().send(body, xSignHeaders('M1', 'another key', body))), 'Sign error');
  });

  it('a create request with the bytes and X-Sign of a response, callback or event is rejected', async () => {
    const { text } = await send();
    const callback = { merchant: 'M1', amount: '5.00', currency: 'MXN', order: 'N18', type: 'deposit.late' };
    const signed: Readonly<Record<string, string>> = {
      'Invalid amount': text,
      'Invalid user_id': JSON.stringify(callback),
      'Invalid order': JSON.stringify({ co_order_no: 'N18', co_amount: '5.00', co_cur: 'MXN', co_sign: 'x' }),
      'Invalid body': 'co_order_no=N18&co_amount=5.00',
    };
    for (const [description, body] of Object.entries(signed))
      assert.equal(reasonOf(await wire().send(body)), description);
    assert.equal(
      reasonOf(await wire().send(`payout_1.1795169600.${JSON.stringify(depositRequest())}`)),
      'Invalid body',
    );
    assert.equal(reasonOf(await wire().send(`[${JSON.stringify(depositRequest())}]`)), 'Invalid body');
    assert.equal(wire().deposits.length, 1);
  });

  it('a create request is authenticated before its body is parsed', async () => {
    const broken = '{"order":';
    const unsigned = await wire().send(broken, { 'x-merchant': 'M1', 'x-sign': 'wrong' });
    assert.deepEqual([unsigned.status, reasonOf(unsigned)], [200, 'Sign error']);
    const signed = await wire().send(broken);
    assert.deepEqual([signed.status, reasonOf(signed)], [400, 'Invalid body']);
  });
});

describe('host-to-host errors outside the wire', () => {
  const answerTo = async (path: string, init: RequestInit = {}): Promise<WireAnswer> => {
    const response = await fetch(wire().url + path, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
  };

  it('an unknown path under the host-to-host prefix gets 404 in the host-to-host envelope', async () => {
    const prefix = CREATE.slice(0, CREATE.indexOf('/host2host'));
    for (const path of [
      prefix,
      `${prefix}/`,
      `${CREATE}/`,
      `${prefix}/host2host/status`,
      CREATE.toUpperCase().replace('/API/V2/SPEI', prefix),
    ]) {
      const answer = await answerTo(path, { method: 'POST', body: 'x' });
      assert.deepEqual([answer.status, reasonOf(answer)], [404, 'Invalid path'], path);
    }
    const undecodable = await answerTo(`${prefix}/%zz`);
    assert.deepEqual([undecodable.status, reasonOf(undecodable)], [400, 'Invalid path']);
  });

  it('an unsupported method on the create path gets 405 with Allow', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await answerTo(CREATE, { method });
      assert.deepEqual(
        [answer.status, reasonOf(answer), answer.headers.get('allow')],
        [405, 'Invalid request method', 'POST'],
      );
    }
  });

  it('a signed create request over 64 KiB gets 413', async () => {
    const text = JSON.stringify(depositRequest());
    assert.equal(reasonOf(await wire().send(text + ' '.repeat(65_536 - Buffer.byteLength(text)))), 'Created');
    const answer = await wire().send(' '.repeat(65_537));
    assert.deepEqual([answer.status, reasonOf(answer)], [413, 'Invalid body size']);
  });

  it('a create request that is not JSON in UTF-8 gets 415, even a form', async () => {
    const raw = JSON.stringify(depositRequest());
    const types = [
      'application/x-www-form-urlencoded',
      'text/plain',
      'application/jsonx',
      'multipart/form-data; boundary=x',
      'application/json; charset=latin1',
      'application/json, text/plain',
      '*/*',
    ];
    for (const type of types) {
      const answer = await post(wire().url + CREATE, raw, {
        ...xSignHeaders('M1', WIRE_KEY, raw),
        'content-type': type,
      });
      assert.deepEqual([answer.status, reasonOf(answer)], [415, 'Invalid content type'], type);
    }
    const encoded = { ...xSignHeaders('M1', WIRE_KEY, raw), 'content-encoding': 'gzip' };
    const compressed = await post(wire().url + CREATE, raw, encoded);
    assert.deepEqual([compressed.status, reasonOf(compressed)], [415, 'Invalid content encoding']);
    const utf8 = { ...xSignHeaders('M1', WIRE_KEY, raw), 'content-type': 'Application/JSON;charset="UTF-8"' };
    assert.equal(reasonOf(await post(wire().url + CREATE, raw, utf8)), 'Created');
  });
});
