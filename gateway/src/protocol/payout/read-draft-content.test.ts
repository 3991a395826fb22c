import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseJsonObject } from '../http/json-body.ts';
import { payoutMethod } from './method-table.ts';
import { normaliseContent } from './read-draft.ts';

function content(method: number, fields: Readonly<Record<string, unknown>>): string {
  return normaliseContent(parseJsonObject(JSON.stringify(fields)), method, payoutMethod(method)).reveal();
}

const CARD = {
  merchant: 'M1',
  method: '8',
  payout_id: 'A1',
  account: '4111111111111111',
  amount: '10.00',
  currency: 'USD',
  exp_date: '12/20',
  full_name: 'Jo',
};

describe('the content of a payout request', () => {
  it('the content of a payout request ignores field order and spelling', () => {
    const reversed = Object.fromEntries(Object.entries(CARD).reverse());
    for (const same of [
      reversed,
      { ...CARD, amount: '10' },
      { ...CARD, amount: '010.0' },
      { ...CARD, method: 8 },
      { ...CARD, sign: 'x', note: 'y' },
    ]) {
      assert.equal(content(8, same), content(8, CARD));
    }
  });

  it('payout content differs if any known field differs, signed or not', () => {
    const changes = [
      { account: '5555555555554444' },
      { amount: '10.01' },
      { currency: 'EUR' },
      { exp_date: '01/21' },
      { full_name: 'Joe' },
      { full_name: '' },
      { full_name: 5 },
    ];
    for (const change of changes)
      assert.notEqual(content(8, { ...CARD, ...change }), content(8, CARD), JSON.stringify(change));
    assert.notEqual(content(9, CARD), content(8, CARD));
    assert.notEqual(content(77, CARD), content(8, CARD));
  });

  it('payout content ignores an optional field that is absent, null or empty', () => {
    const { full_name: _, ...without } = CARD;
    assert.equal(content(9, { ...CARD, full_name: '' }), content(9, without));
    assert.equal(content(9, { ...CARD, full_name: null }), content(9, without));
  });

  it('payout content covers every field of method 34, and ignores the case of a country', () => {
    const iban = { account: 'UA', amount: '1', currency: 'UAH', full_name: 'A', customs_card: '1', customs_inn: '2' };
    for (const name of Object.keys(iban))
      assert.notEqual(content(34, iban), content(34, { ...iban, [name]: 'y' }), name);
    assert.equal(content(93, { customs_country: 'de' }), content(93, { customs_country: 'DE' }));
  });

  it('payout content exists for a request with only invalid fields', () => {
    const wrong = { account: [1, { b: 2, a: [] }], amount: 'ten', currency: null, exp_date: true, full_name: 1.5 };
    assert.equal(content(8, wrong), content(8, { ...wrong, account: [1, { a: [], b: 2 }] }));
    assert.notEqual(content(8, wrong), content(8, { ...wrong, amount: 'eleven' }));
  });

  it('payout content keeps adjacent fields apart, and distinguishes a string from a value of another type', () => {
    assert.notEqual(content(1, { account: 'a', amount: 'b' }), content(1, { account: 'a","b' }));
    assert.notEqual(content(8, { exp_date: 'true' }), content(8, { exp_date: true }));
  });
});
