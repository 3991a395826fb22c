import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Secret } from '../../foundation/secret.ts';
import { isSigned, scriptOf, signatureOf, signedForm } from './signature.ts';

const SECRET = new Secret('payout-secret');

const REQUEST = new Map([
  ['pg_merchant_id', '9970'],
  ['pg_order_id', 'ORD12345'],
  ['pg_amount', '1000'],
  ['pg_currency', 'KZT'],
  ['pg_description', 'Payout'],
  ['pg_payment_to', '4671593866478252'],
  ['pg_post_link', 'https://m.example/cb/freedom'],
  ['pg_salt', 'abc123'],
]);

describe('Freedom Pay’s signature pg_sig', () => {
  it('the Freedom Pay signature is MD5 over script, values in the order of their names, and secret', () => {
    assert.equal(signatureOf('p2p2nonreg', REQUEST, SECRET), '337a4d306a08ade56963e9b55489e1c7');
  });

  it('the Freedom Pay signature covers a response for the called script', () => {
    const answer = new Map([
      ['pg_payment_id', '7777777777'],
      ['pg_merchant_id', '9970'],
      ['pg_order_id', 'ORD12345'],
      ['pg_status', 'ok'],
      ['pg_balance', '500000'],
      ['pg_payment_amount', '1000'],
      ['pg_payment_date', '2024-09-02T12:19:01+00:00'],
      ['pg_reference', 'FSDUNJFA244324'],
      ['pg_salt', 'YtfwCGiBHsFLpYGk'],
      ['pg_datetime', '2024-09-02T12:19:01+00:00'],
      ['pg_sig', '72c38f3bca33b12e76cfe8b0a28e5cbe'],
    ]);
    assert.ok(isSigned('p2p2nonreg', answer, SECRET));
    assert.ok(!isSigned('reg2reg', answer, SECRET));
    assert.ok(!isSigned('p2p2nonreg', answer, new Secret('payout-secret ')));
    assert.ok(!isSigned('p2p2nonreg', new Map([...answer, ['pg_sig', '72C38F3BCA33B12E76CFE8B0A28E5CBE']]), SECRET));
    assert.ok(!isSigned('p2p2nonreg', new Map([...answer].slice(0, -1)), SECRET));
  });

  it('the Freedom Pay script of an address is its last segment', () => {
    assert.equal(scriptOf('https://pay.example/g/rail-notifications/freedom-pay'), 'freedom-pay');
    assert.equal(scriptOf('/api/payment_status2'), 'payment_status2');
  });

  it('a Freedom Pay signature is valid for any signed form, and invalid after a change of a value', () => {
    const names = fc.string({ minLength: 1 }).filter((name) => !['pg_sig', 'pg_salt'].includes(name));
    const texts = fc.dictionary(names, fc.string(), { minKeys: 1, noNullPrototype: true });
    const property = fc.property(texts, fc.string(), (texts, salt) => {
      const fields = new Map(Object.entries(texts));
      const sent = new Map(new URLSearchParams(signedForm('script', fields, salt, SECRET)));
      assert.equal(sent.get('pg_salt'), salt);
      assert.ok(isSigned('script', sent, SECRET));
      const [name = ''] = fields.keys();
      assert.ok(!isSigned('script', new Map([...sent, [name, `${sent.get(name)}x`]]), SECRET));
    });
    fc.assert(property, { numRuns: 200 });
  });

  it('a Freedom Pay signature does not cover names: a signed message with renamed fields stays valid', () => {
    const fields = new Map([
      ['pg_order_id', 'O1'],
      ['pg_status', 'error'],
      ['pg_to_pay', 'ok'],
    ]);
    const renamed = new Map([
      ['pg_order_id', 'O1'],
      ['pg_reason', 'error'],
      ['pg_status', 'ok'],
    ]);
    assert.equal(signatureOf('s', fields, SECRET), signatureOf('s', renamed, SECRET));
  });
});
