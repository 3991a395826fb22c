import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { FORM_PAYMENT_TYPES } from '../../../domain/methods/payment-type.ts';
import { LANGUAGES } from '../../../domain/payments/form-session.ts';
import { choiceQuery, type PageChoice, readChoice } from './page-choice.ts';

const read = (query: string) => readChoice(new URLSearchParams(query));

const choices: fc.Arbitrary<PageChoice> = fc.record(
  {
    type: fc.constantFrom(...FORM_PAYMENT_TYPES, 'choose' as const),
    bankId: fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/),
    after: fc.integer({ min: 1, max: 50 }),
    isCancelled: fc.constant(true),
    language: fc.constantFrom(...LANGUAGES),
  },
  { requiredKeys: [], noNullPrototype: true },
);

describe('the payer’s choices in the page URL', () => {
  it('a page URL keeps every choice that was written to it', () => {
    fc.assert(fc.property(choices, (choice) => assert.deepEqual(read(choiceQuery(choice)), choice)));
    assert.equal(choiceQuery({}), '');
  });

  it('a page URL with unknown values does not contain a choice', () => {
    assert.deepEqual(read('type=cash&bank=a/b&after=0&after=1&lang=xx&cancelled=&other=1'), {});
    assert.deepEqual(read('bank=4111111111111111'), {});
    fc.assert(fc.property(fc.string(), (query) => void choiceQuery(read(query))));
  });

  it('the URL of the next page omits the bank search', () => {
    assert.deepEqual(read(`bank_search=${'é'.repeat(99)}`), { search: 'é'.repeat(60) });
    assert.equal(choiceQuery({ search: 'x', type: 'card' }), '?type=card');
  });
});
