import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldsToAskFor, statedPayer } from './form-fields.ts';

describe('the payer’s details in a form request', () => {
  it('a payer’s country is stored in capitals and the phone number with a plus sign', () => {
    const payer = statedPayer({
      first_name: 'Jo',
      post_code: 'K1A 0B1',
      country: 'ca',
      phone: '14165550123',
      custom: 'x',
    });
    const empty = {
      userId: '',
      lastName: '',
      email: '',
      address: '',
      city: '',
      region: '',
      cpf: '',
      bankId: '',
      ip: '',
    };
    assert.deepEqual(payer, {
      ...empty,
      firstName: 'Jo',
      postCode: 'K1A 0B1',
      country: 'CA',
      phone: '+14165550123',
    });
    assert.equal(statedPayer({ phone: '+14165550123' }).phone, '+14165550123');
    assert.equal(statedPayer({}).phone, '');
  });

  it('the form asks for the details that the rail needs and the merchant did not send', () => {
    const needs = ['firstName', 'lastName', 'email', 'postCode', 'cpf'] as const;
    assert.deepEqual(fieldsToAskFor({ last_name: 'Do', email: '' }, needs), [
      'first_name',
      'email',
      'post_code',
      'cpf',
    ]);
    assert.deepEqual(fieldsToAskFor({}, ['browser', 'language', 'ip', 'bankId', 'userId']), []);
  });
});
