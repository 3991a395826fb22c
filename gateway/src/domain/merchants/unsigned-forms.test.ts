import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { merchantNamed } from '../../../test/support/merchants/merchant-named.ts';
import { FORM_PAYMENT_TYPES } from '../methods/payment-type.ts';
import { OPERATOR_MERCHANT } from './merchant.ts';
import { findUnsignedForms } from './unsigned-forms.ts';

describe('the merchants that accept unsigned forms', () => {
  it('findUnsignedForms finds active merchants that have a form and do not require its signature', () => {
    const merchants = [
      merchantNamed('OPTIONAL'),
      merchantNamed('OFF', { settings: { form_sign: 'off' } }),
      merchantNamed('REQUIRED', { settings: { form_sign: 'required' } }),
      merchantNamed('SUSPENDED', { state: 'suspended' }),
      merchantNamed('NO-FORM', { settings: { disabled_payment_types: FORM_PAYMENT_TYPES.join(',') } }),
      merchantNamed(OPERATOR_MERCHANT),
    ];
    const found = findUnsignedForms(merchants);
    assert.equal(found?.merchants, 2);
    assert.match(found.found, /^OPTIONAL, OFF: anyone can open a form .* compare the amount in each callback/);
    assert.equal(findUnsignedForms(merchants.slice(2)), undefined);
  });

  it('findUnsignedForms lists up to ten merchants and counts the rest', () => {
    const merchants = Array.from({ length: 12 }, (_, index) => merchantNamed(`M${index}`));
    const found = findUnsignedForms(merchants);
    assert.equal(found?.merchants, 12);
    assert.match(found.found, /^M0, .*M9 and 2 more: /);
  });
});
