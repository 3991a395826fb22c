import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { FORM_RAILS, formRail } from '../../../../test/support/form/form-request.ts';
import { type MerchantChange, merchantNamed } from '../../../../test/support/merchants/merchant-named.ts';
import { FORM_PAYMENT_TYPES, type FormPaymentType, PAYMENT_TYPES } from '../../../domain/methods/payment-type.ts';
import { CURRENCIES, type Currency } from '../../../foundation/currency.ts';
import { choosePaymentType, type FormRail } from './choose-payment-type.ts';

const CPF = '11144477735';

interface Scene {
  readonly currency?: Currency;
  readonly minor?: bigint;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, string>>;
  readonly state?: MerchantChange['state'];
  readonly rails?: readonly FormRail[];
}

function choose({ currency = 'EUR', minor = 1_250n, parameters = {}, settings = {}, state, rails }: Scene) {
  const merchant = merchantNamed('M1', { settings, ...(state === undefined ? {} : { state }) });
  const given = { country: currency === 'BRL' ? 'BR' : 'DE', ...parameters };
  return choosePaymentType({ merchant, money: { currency, minor }, parameters: given }, rails ?? FORM_RAILS);
}

/** `card`: only this type. `card of …`: a default among several. `ask …`: the payer chooses. Otherwise the rejection. */
function outcome(scene: Scene): string | object {
  const chosen = choose(scene);
  if (!chosen.ok) return chosen.error;
  const { paymentType, possibleTypes } = chosen.value;
  if (paymentType === null) return `ask ${possibleTypes.join(' ')}`;
  assert(possibleTypes.includes(paymentType));
  return possibleTypes.length === 1 ? paymentType : `${paymentType} of ${possibleTypes.join(' ')}`;
}

const EURO_TYPES = 'card open_banking bank_transfer_iframe';

describe('a form request without a payment type', () => {
  const byCurrency: Readonly<Record<Currency, string | object>> = {
    EUR: `ask ${EURO_TYPES}`,
    CAD: 'e_transfer',
    BRL: 'card',
    UAH: 'card',
    USD: 'card',
    KZT: 'card',
    MXN: 'card',
    INR: 'card',
    AZN: 'card',
    TST: { kind: 'not_supported', field: 'currency' },
  };
  for (const currency of CURRENCIES) {
    it(`a form in ${currency} offers the documented payment types`, () => {
      assert.deepEqual(outcome({ currency }), byCurrency[currency]);
    });
  }

  it('the merchant’s default payment type is preselected, and the payer may choose another', () => {
    const settings = { 'default_payment_type.EUR': 'open_banking' };
    assert.equal(outcome({ settings }), `open_banking of ${EURO_TYPES}`);
    assert.equal(outcome({ settings, currency: 'USD' }), 'card');
    const off = { ...settings, disabled_payment_types: 'open_banking' };
    assert.equal(outcome({ settings: off }), 'ask card bank_transfer_iframe', 'a disabled default does not count');
  });

  it('a form does not offer a payment type that is disabled, has no rail or is outside its amount limits', () => {
    assert.equal(outcome({ settings: { disabled_payment_types: 'card,open_banking' } }), 'bank_transfer_iframe');
    assert.equal(outcome({ rails: [formRail('card'), formRail('e_transfer')] }), 'card');
    assert.equal(
      outcome({ rails: [formRail('card', { currencies: new Set(['USD']) }), formRail('open_banking')] }),
      'open_banking',
    );
    assert.equal(outcome({ settings: { 'max_amount.card.EUR': '12.49' } }), 'ask open_banking bank_transfer_iframe');
    assert.equal(
      outcome({ settings: { 'min_amount.card.EUR': '12.50', 'max_amount.card.EUR': '12.50' } }),
      `ask ${EURO_TYPES}`,
    );
  });

  it('a form of a test merchant offers only simulated rails', () => {
    const rails = [formRail('card', { simulated: false }), formRail('open_banking')];
    assert.equal(outcome({ rails, state: 'test' }), 'open_banking');
    assert.equal(outcome({ rails, state: 'active' }), 'ask card open_banking');
  });

  it('a form without a usable payment type reports the problem that is easiest for the merchant to correct', () => {
    assert.deepEqual(outcome({ rails: [] }), { kind: 'unavailable', field: 'currency' });
    const limits = { 'min_amount.e_transfer.CAD': '20.00' };
    assert.deepEqual(outcome({ currency: 'CAD', settings: limits }), { kind: 'out_of_limits', field: 'amount' });
    const noCards = { disabled_payment_types: 'card' };
    assert.deepEqual(outcome({ currency: 'BRL', settings: noCards }), { kind: 'missing', field: 'cpf' });
    assert.deepEqual(outcome({ currency: 'BRL', settings: noCards, parameters: { country: 'DE' } }), {
      kind: 'conflict',
      field: 'country',
      with: 'currency',
    });
  });
});

describe('a form request with a payment type', () => {
  for (const type of FORM_PAYMENT_TYPES) {
    it(`payment_type=${type} overrides the merchant’s default in each of its currencies`, () => {
      const settings = { 'default_payment_type.EUR': 'bank_transfer_iframe' };
      const cpf = type === 'instant_bank' ? { cpf: CPF } : {};
      for (const currency of CURRENCIES) {
        const takes = (PAYMENT_TYPES[type] as readonly Currency[]).includes(currency);
        assert.deepEqual(
          outcome({ currency, settings, parameters: { payment_type: type, ...cpf } }),
          takes ? type : { kind: 'conflict', field: 'payment_type', with: 'currency' },
          currency,
        );
      }
    });
  }

  it('bank_id implies open banking, and cpf implies the instant bank payment', () => {
    const settings = { 'default_payment_type.EUR': 'card', 'default_payment_type.BRL': 'card' };
    assert.equal(outcome({ settings, parameters: { bank_id: 'ob-1' } }), 'open_banking');
    assert.equal(outcome({ settings, currency: 'BRL', parameters: { cpf: CPF, country: 'br' } }), 'instant_bank');
    assert.deepEqual(outcome({ currency: 'USD', parameters: { bank_id: 'ob-1' } }), {
      kind: 'conflict',
      field: 'bank_id',
      with: 'currency',
    });
    assert.deepEqual(outcome({ parameters: { cpf: CPF } }), { kind: 'conflict', field: 'cpf', with: 'currency' });
  });

  it('a form request with contradictory payment types is rejected', () => {
    const contradictions: [Record<string, string>, object][] = [
      [
        { payment_type: 'card', bank_id: 'ob-1' },
        { field: 'bank_id', with: 'payment_type' },
      ],
      [
        { payment_type: 'card', cpf: CPF },
        { field: 'cpf', with: 'payment_type' },
      ],
      [
        { payment_type: 'open_banking', bank_id: 'ob-1', cpf: CPF },
        { field: 'cpf', with: 'payment_type' },
      ],
      [
        { bank_id: 'ob-1', cpf: CPF },
        { field: 'cpf', with: 'bank_id' },
      ],
    ];
    for (const [parameters, fields] of contradictions)
      for (const currency of ['EUR', 'BRL'] as const)
        assert.deepEqual(outcome({ currency, parameters }), { kind: 'conflict', ...fields });
    assert.equal(outcome({ parameters: { payment_type: 'open_banking', bank_id: 'ob-1' } }), 'open_banking');
    assert.equal(
      outcome({ parameters: { payment_type: 'card', bank_id: '', cpf: '' } }),
      'card',
      'an empty field does not count',
    );
  });

  it('a form request with an unavailable payment type is rejected, and no other type replaces it', () => {
    const off = { disabled_payment_types: 'open_banking' };
    for (const parameters of [{ payment_type: 'open_banking' }, { bank_id: 'ob-1' }])
      assert.deepEqual(outcome({ settings: off, parameters }), {
        kind: 'unavailable',
        field: Object.keys(parameters)[0],
      });
    const settings = { 'max_amount.card.EUR': '1.00' };
    assert.deepEqual(outcome({ settings, parameters: { payment_type: 'card' } }), {
      kind: 'out_of_limits',
      field: 'amount',
    });
  });

  it('an instant bank payment requires a cpf and the country BR', () => {
    const parameters = { payment_type: 'instant_bank' };
    assert.deepEqual(outcome({ currency: 'BRL', parameters }), { kind: 'missing', field: 'cpf' });
    assert.deepEqual(outcome({ currency: 'BRL', parameters: { ...parameters, cpf: CPF, country: 'PT' } }), {
      kind: 'conflict',
      field: 'country',
      with: 'payment_type',
    });
    assert.deepEqual(outcome({ currency: 'BRL', parameters: { cpf: CPF, country: 'PT' } }), {
      kind: 'conflict',
      field: 'country',
      with: 'cpf',
    });
  });
});

describe('strict_form_fields', () => {
  const settings = { strict_form_fields: 'on' };
  const rails = [
    formRail('card', { needs: ['email', 'browser', 'language', 'ip', 'userId'] }),
    formRail('open_banking', { needs: ['bankId', 'firstName', 'lastName'] }),
  ];

  it('strict_form_fields rejects a request without a detail that the page would ask for', () => {
    const card = (given: Record<string, string>) =>
      outcome({ settings, rails, parameters: { payment_type: 'card', ...given } });
    assert.deepEqual(card({}), { kind: 'missing', field: 'email' });
    assert.deepEqual(card({ email: '' }), { kind: 'missing', field: 'email' });
    assert.equal(card({ email: 'a@b.co' }), 'card');
    assert.equal(outcome({ rails, parameters: { payment_type: 'card' } }), 'card', 'the payer is asked');
  });

  it('strict_form_fields offers only payment types for which no detail is missing', () => {
    const names = { first_name: 'Jo', last_name: 'Do' };
    assert.equal(outcome({ settings, rails, parameters: names }), 'open_banking');
    assert.equal(outcome({ settings, rails, parameters: { ...names, email: 'a@b.co' } }), 'ask card open_banking');
    assert.deepEqual(outcome({ settings, rails }), { kind: 'missing', field: 'email' });
  });
});

describe('choosing a payment type for any request', () => {
  it('choosing a payment type returns a usable type or a rejection, and never throws', () => {
    const types: fc.Arbitrary<string> = fc.constantFrom(...FORM_PAYMENT_TYPES);
    const parameters = fc.record(
      {
        payment_type: types,
        bank_id: fc.constantFrom('', 'ob-1'),
        cpf: fc.constantFrom('', CPF),
        country: fc.constantFrom('BR', 'br', 'DE', ''),
      },
      { requiredKeys: [] },
    );
    const off = fc.subarray([...FORM_PAYMENT_TYPES]);
    fc.assert(
      fc.property(
        parameters,
        fc.constantFrom(...CURRENCIES),
        off,
        fc.subarray([...FORM_RAILS]),
        (given, currency, disabled, rails) => {
          const settings = { disabled_payment_types: disabled.join(',') };
          const chosen = choose({ currency, parameters: given as Record<string, string>, settings, rails });
          if (!chosen.ok) return;
          const { paymentType, possibleTypes } = chosen.value;
          assert.ok(possibleTypes.length > 0);
          assert.ok(paymentType !== null || possibleTypes.length > 1);
          for (const type of possibleTypes) {
            assert.ok((PAYMENT_TYPES[type] as readonly Currency[]).includes(currency));
            assert.ok(!disabled.includes(type));
            assert.ok(rails.some((rail) => rail.paymentType === type));
          }
          const wished = (given as { payment_type?: FormPaymentType }).payment_type;
          if (wished !== undefined) assert.equal(paymentType, wished);
        },
      ),
    );
  });
});
