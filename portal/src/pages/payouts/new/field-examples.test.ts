import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FORMATS } from '../../../../../gateway/src/protocol/payout/formats.ts';
import { PAYOUT_METHODS } from '../../../../../gateway/src/protocol/payout/method-table.ts';
import { EN_NEW_PAYOUTS } from '../../../words/en/new-payouts.ts';
import { exampleOf } from './field-examples.ts';

const CONTEXT = { now: Date.UTC(2026, 10, 20), checkInn: true };

describe('the form of a new payout', () => {
  it('the new-payout form has a label and a valid example for each field of each method', () => {
    const fields = PAYOUT_METHODS.flatMap((method) => method.fields).filter(({ name }) => name !== 'currency');
    const wrong = fields.filter((field) => !FORMATS[field.format](exampleOf(field), CONTEXT));
    assert.deepEqual(wrong, []);
    const labels = { ...EN_NEW_PAYOUTS.newPayout.fields, account: '' };
    assert.deepEqual(
      fields.filter(({ name }) => !(name in labels)),
      [],
    );
    const kinds = PAYOUT_METHODS.map(({ accountKind }) => accountKind);
    assert.deepEqual(
      kinds.filter((kind) => !(kind in EN_NEW_PAYOUTS.newPayout.accounts)),
      [],
    );
  });
});
