import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldsToAskFor, statedPayer } from './payer-details.ts';

describe('what the request says of the payer', () => {
  it('is read as the rails want it: the country in capitals, the phone number with its plus', () => {
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

  it('leaves to be asked for what the rail needs and nobody gave', () => {
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
