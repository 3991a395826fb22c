/** Every parameter of every payment type: present, missing, malformed and hostile. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import {
  FORM_RAILS,
  FORM_REQUEST,
  type FormChange,
  formParameters,
} from '../../../../test/support/form/form-request.ts';
import { type MerchantChange, merchantNamed } from '../../../../test/support/merchants/merchant-named.ts';
import { BAD_AMOUNTS } from '../../../../test/support/tools/bad-amounts.ts';
import { cpuMsOf } from '../../../../test/support/tools/cpu-time.ts';
import { type FormPaymentType, PAYMENT_TYPES } from '../../../domain/methods/payment-type.ts';
import { parseQuery } from '../../http/form-body.ts';
import { FORM_FIELDS, type FormField, type FormRejection } from './form-fields.ts';
import {
  decodingRejection,
  type FormRequest,
  formLanguage,
  readFormRequest,
  readMerchantId,
} from './read-form-request.ts';

function read(change: FormChange = {}, merchant: MerchantChange = {}, isSigned = false) {
  const requester = { merchant: merchantNamed('M1', merchant), isSigned, acceptLanguage: undefined };
  return readFormRequest(formParameters(change), requester, FORM_RAILS);
}

function request(change: FormChange = {}, merchant: MerchantChange = {}): FormRequest {
  const taken = read(change, merchant);
  assert(taken.ok, inspect(taken));
  return taken.value;
}

function rejection(change: FormChange, merchant: MerchantChange = {}): FormRejection {
  const refused = read(change, merchant);
  assert(!refused.ok, `${JSON.stringify(change).slice(0, 200)} was taken`);
  return refused.error;
}

/** A valid value of each parameter, from which the rows of the interface's table are built. */
const GOOD: Readonly<Record<FormField, string>> = {
  ...FORM_REQUEST,
  first_name: 'José',
  last_name: "O'Neil-Muñoz",
  user_id: 'u-1',
  payment_url: 'https://shop.example/cart?id=7',
  ip: '2001:db8::1',
  custom: 'gift: yes',
  email: 'jo+tag@example.com',
  phone: '+14165550123',
  address: 'Main St. 1/2, Apt. #4',
  city: 'São Paulo',
  post_code: 'K1A 0B1',
  region: 'ON',
  payment_type: 'card',
  bank_id: 'ob-modelo_1',
  cpf: '11144477735',
};

const NAMES = ['first_name', 'last_name'] as const;
const ADDRESS = ['address', 'city', 'post_code', 'region'] as const;

/** The parameters of each payment type beyond those of every request (decision 12). */
const ROWS: Readonly<Record<FormPaymentType, readonly (FormField | 'lang')[]>> = {
  card: [...NAMES, 'user_id', 'payment_url', 'ip', 'custom', 'email', 'phone', ...ADDRESS, 'lang'],
  open_banking: [...NAMES, 'payment_url', 'ip', 'email', 'bank_id'],
  e_transfer: [...NAMES, 'payment_url', 'email', 'phone', ...ADDRESS],
  instant_bank: [...NAMES, 'user_id', 'payment_url', 'cpf', 'email', 'phone'],
  bank_transfer_iframe: [...NAMES, 'payment_url', 'email'],
};

const MANDATORY = ['merchant', 'order', 'amount', 'currency', 'item_name', 'country'] as const;

/** Strings that are invalid in every field except free text. */
const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' or 1=1 --",
  '#{7*7}{{7*7}}',
  'a\nSet-Cookie: b=c',
  'a\r\nb',
  'a\tb',
  '\0',
  '\u202eabc',
  '\u200b',
  '🙂',
  ' ',
];

const TOO_LONG = 'x'.repeat(10_240);

/** Invalid strings of single fields. */
const MALFORMED: Readonly<Record<FormField, readonly string[]>> = {
  merchant: ['M 1', 'M:1', 'é'],
  order: ['0', 'a b', 'a:b', 'é', '../x', 'a/b'],
  amount: BAD_AMOUNTS.filter((text) => text !== ''),
  currency: ['eur', 'EU', 'EURO', 'ЕUR', '978'],
  item_name: ['a\nb', '\u202eevil', 'a\u0000', ' ', '\u200b', 'a\u2028b', '\ud800'],
  country: ['D', 'DEU', 'XX', '276', 'Germany', 'UК'],
  first_name: ['Jo2', 'Jo.', '-Jo', 'Иван', 'Jo  ', ' Jo', 'Jo<b>', '李'],
  last_name: ['Do2', 'Іваненко', "'", 'Do;'],
  user_id: ['0', 'u 1', 'u@1'],
  payment_url: [
    'shop.example',
    '//shop.example',
    '/cart',
    'ftp://shop.example/',
    'javascript:alert(1)',
    'JaVaScRiPt://shop.example/%0aalert(1)',
    'data:text/html,x',
    'https:shop.example',
    'https://',
    'https://u:p@shop.example/',
    'https://shop.example/a b',
    'https://shop.example\\@evil.example/',
    'https://[::1',
  ],
  ip: ['203.0.113', '203.0.113.256', '0x7f.1', '2130706433', 'fe80::1%eth0', '1.2.3.4/24', 'localhost'],
  custom: ['a\nb', '\u202eevil', ' '],
  email: ['a', 'a@b', '@b.co', 'a b@c.de', 'a@b@c.de', 'a@c.de\n', 'ä@c.de'],
  phone: ['123', '+1416555', '1-416-555-0123', '(416) 5550123', '++14165550123', ' 14165550123', '0000000000'],
  address: ['-', 'a<b', 'a\nb', 'a;b'],
  city: ['<b>', 'a=b'],
  post_code: ['-1', '1 ', 'é1', '1_2'],
  region: ['<b>', 'a"b'],
  payment_type: ['Card', 'spei', 'pix', 'toString', '1', 'card '],
  bank_id: ['a b', 'a/b', 'é'],
  cpf: ['111.444.777-35', '11144477734', '1114447773', '111444777350', '00000000000', ' 11144477735'],
};

const FREE_TEXT: readonly FormField[] = ['item_name', 'custom'];

/** The other parameters that a valid value of this field requires. */
function around(field: FormField): FormChange {
  if (field === 'cpf') return { currency: 'BRL', country: 'BR' };
  return {};
}

describe('a form request of each payment type', () => {
  for (const [type, names] of Object.entries(ROWS) as [FormPaymentType, (typeof ROWS)[FormPaymentType]][]) {
    const currency = PAYMENT_TYPES[type][0];
    const country = type === 'instant_bank' ? 'BR' : 'CA';
    const row = Object.fromEntries(names.map((name) => [name, name === 'lang' ? 'kk' : GOOD[name]]));
    const base = { currency: type === 'card' ? 'EUR' : currency, country, payment_type: type };

    it(`a ${type} request with every documented parameter is accepted`, () => {
      const taken = request({ ...base, ...row });
      const { lang, ...parameters } = row;
      assert.deepEqual(taken, {
        merchantId: 'M1',
        orderId: 'N17',
        money: { currency: base.currency, minor: 1_250n },
        amountText: '12.50',
        isSigned: false,
        language: lang !== undefined ? 'kk' : country === 'BR' ? 'pt-BR' : 'en',
        parameters: { item_name: 'Tea & cup', country, payment_type: type, ...parameters },
        paymentType: type,
        possibleTypes: [type],
      });
    });

    it(`a ${type} request with only the mandatory parameters is accepted`, () => {
      const cpf = type === 'instant_bank' ? { cpf: GOOD.cpf } : {};
      assert.equal(request({ ...base, ...cpf }).paymentType, type);
    });

    for (const field of names.filter((name) => name !== 'lang')) {
      it(`a ${type} request with an absent or empty ${field} ${field === 'cpf' ? 'is rejected' : 'is accepted'}`, () => {
        for (const text of [undefined, '']) {
          const change = { ...base, ...row, [field]: text };
          if (field === 'cpf') assert.deepEqual(rejection(change), { kind: 'missing', field });
          else assert.equal(request(change).parameters[field], undefined);
        }
      });
    }
  }
});

describe('each parameter of a form request', () => {
  for (const field of Object.keys(FORM_FIELDS) as FormField[]) {
    it(`a form request keeps a valid ${field} unchanged`, () => {
      const taken = request({ ...around(field), [field]: GOOD[field] });
      const kept: Readonly<Record<string, string>> = {
        ...taken.parameters,
        merchant: taken.merchantId,
        order: taken.orderId,
        amount: taken.amountText,
        currency: taken.money.currency,
      };
      assert.equal(kept[field], GOOD[field]);
    });

    it(`a form request with a malformed ${field} is rejected by its name`, () => {
      const wrong = FREE_TEXT.includes(field) ? MALFORMED[field] : [...MALFORMED[field], ...HOSTILE];
      for (const text of wrong) {
        const { kind, field: named } = rejection({ ...around(field), [field]: text });
        assert.equal(named, field, JSON.stringify(text));
        assert.ok(kind === 'malformed' || kind === 'too_long', `${kind} ${JSON.stringify(text)}`);
      }
    });

    it(`a form request with a ${field} of ten thousand characters is rejected without repeating it`, () => {
      for (const text of [TOO_LONG, '1'.repeat(10_240), 'é'.repeat(10_240), `https://a.example/${TOO_LONG}`]) {
        const refused = rejection({ ...around(field), [field]: text });
        assert.equal(refused.field, field);
        assert.ok(JSON.stringify(refused).length < 100);
        const { maxLength } = FORM_FIELDS[field];
        assert.deepEqual(
          refused,
          maxLength === null ? { kind: 'malformed', field } : { kind: 'too_long', field, maxLength },
        );
      }
    });

    it(`the form parameter ${field} ${(MANDATORY as readonly string[]).includes(field) ? 'is mandatory' : 'is optional'}`, () => {
      for (const text of [undefined, '']) {
        if ((MANDATORY as readonly string[]).includes(field))
          assert.deepEqual(rejection({ [field]: text }), { kind: 'missing', field });
        else assert.equal(request({ [field]: text }).parameters[field], undefined);
      }
    });
  }

  it('form parameters have maximum lengths that count characters', () => {
    const longest: Partial<Record<FormField, string>> = {
      order: 'x'.repeat(64),
      item_name: '🙂'.repeat(255),
      custom: '<'.repeat(255),
      first_name: 'é'.repeat(30),
      last_name: 'Ł'.repeat(60),
      address: 'ї'.repeat(255),
      city: '市'.repeat(100),
      payment_url: `https://a.example/${'x'.repeat(2_030)}`,
      email: `${'a'.repeat(64)}@${`${'b'.repeat(60)}.`.repeat(3)}com`,
    };
    for (const [field, text] of Object.entries(longest)) {
      request({ [field]: text });
      const fault = rejection({ [field]: text.slice(0, 2) + text });
      assert.equal(fault.field, field);
    }
  });

  it('free-text form parameters keep markup as text', () => {
    const { parameters } = request({ item_name: HOSTILE[0], custom: HOSTILE[1] });
    assert.deepEqual([parameters['item_name'], parameters['custom']], [HOSTILE[0], HOSTILE[1]]);
  });

  it('unknown form parameters are ignored and not stored', () => {
    const unknown = {
      card_number: '4111111111111111',
      success_url: 'https://evil.example/',
      __proto__x: '1',
      sign: 'x',
    };
    assert.deepEqual(request(unknown), request());
  });

  it('a form request with several errors is rejected for the first field of the table', () => {
    assert.equal(rejection({ order: '', amount: '', email: 'x' }).field, 'order');
    assert.equal(rejection({ email: 'x', payment_type: 'x', currency: 'GBP' }).field, 'email');
  });
});

describe('the other fields of a form request', () => {
  it('a form request in an unsupported currency is rejected', () => {
    for (const currency of ['GBP', 'TST', 'XXX'])
      assert.deepEqual(rejection({ currency }), { kind: 'not_supported', field: 'currency' }, currency);
  });

  it('a form request records whether it was signed', () => {
    for (const isSigned of [true, false]) {
      const taken = read({}, {}, isSigned);
      assert.equal(taken.ok && taken.value.isSigned, isSigned);
    }
  });

  it('a form request for a suspended merchant is rejected before any other check', () => {
    assert.deepEqual(rejection({ order: '' }, { state: 'suspended' }), {
      kind: 'merchant_disabled',
      field: 'merchant',
    });
    for (const state of ['test', 'active'] as const) request({}, { state });
  });

  it('under strict_names a form request accepts only names of the letters A to Z', () => {
    const settings = { strict_names: 'on' };
    request({ first_name: 'Jose', last_name: 'Munoz' }, { settings });
    for (const field of ['first_name', 'last_name'])
      assert.deepEqual(rejection({ [field]: 'Muñoz' }, { settings }), { kind: 'malformed', field });
  });

  it('a form request with a repeated known parameter is rejected by its name', () => {
    const refusalOf = (query: string) => {
      try {
        parseQuery(`/payment/form?${query}`);
      } catch (error) {
        return decodingRejection(error);
      }
      assert.fail('it was taken');
    };
    for (const field of ['amount', 'merchant', 'sign', 'lang'])
      assert.deepEqual(refusalOf(`${field}=1&${field}=1`), { kind: 'repeated', field });
    for (const query of ['x=1&x=2', '%3Cb%3E=1&%3Cb%3E=1', 'amount=%', 'constructor=1&constructor=1'])
      assert.equal(refusalOf(query), undefined, query);
  });

  it('a form request is checked for a valid merchant id first', () => {
    assert.deepEqual(readMerchantId(formParameters()), { ok: true, value: 'M1' });
    for (const merchant of [undefined, ''])
      assert.deepEqual(readMerchantId(formParameters({ merchant })), {
        ok: false,
        error: { kind: 'missing', field: 'merchant' },
      });
    for (const merchant of ['M 1', TOO_LONG, ...HOSTILE])
      assert.deepEqual(readMerchantId(formParameters({ merchant })), {
        ok: false,
        error: { kind: 'malformed', field: 'merchant' },
      });
  });
});

describe('the language of a form', () => {
  const { settings: kazakh } = merchantNamed('M1', { settings: { default_lang: 'kk' } });
  const { settings: ukrainian } = merchantNamed('M1', { settings: { default_lang: 'ua' } });

  it('the lang parameter selects the language, and ua and uk both mean Ukrainian', () => {
    for (const [lang, language] of Object.entries({ en: 'en', ua: 'uk', uk: 'uk', kk: 'kk' }))
      assert.equal(formLanguage(formParameters({ lang }), 'en', kazakh), language);
  });

  it('an unknown lang selects the merchant’s default language, whatever the browser requests', () => {
    for (const lang of [undefined, '', 'EN', 'ru', 'en-US', 'kz', 'constructor', TOO_LONG, ...HOSTILE]) {
      assert.equal(formLanguage(formParameters({ lang }), 'uk', kazakh), 'kk', lang);
      assert.equal(formLanguage(formParameters({ lang }), 'en', ukrainian), 'uk', lang);
      assert.equal(request({ lang }, { settings: { default_lang: 'kk' } }).language, 'kk');
    }
  });

  it('the form uses the browser’s language if it does not support the language that the merchant requests', () => {
    const { settings: silent } = merchantNamed('M1');
    for (const lang of [undefined, 'ru']) assert.equal(formLanguage(formParameters({ lang }), 'uk-UA', silent), 'uk');
    assert.equal(formLanguage(formParameters(), undefined), 'en');
  });
});

describe('arbitrary form parameters', () => {
  const merchant = merchantNamed('M1');

  it('a form request with arbitrary parameters is accepted, or rejected with a field’s name, and never throws', () => {
    const names = fc.oneof(fc.constantFrom(...Object.keys(FORM_FIELDS), 'lang', 'sign'), fc.string());
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.constantFrom(...Object.values(GOOD), ...HOSTILE),
    );
    fc.assert(
      fc.property(fc.dictionary(names, texts), fc.boolean(), (change, isBare) => {
        const parameters = isBare ? new Map(Object.entries(change)) : formParameters(change);
        const taken = readFormRequest(parameters, { merchant, isSigned: false, acceptLanguage: undefined }, FORM_RAILS);
        if (taken.ok)
          assert.deepEqual(
            Object.keys(taken.value.parameters).filter((name) => !(name in FORM_FIELDS)),
            [],
          );
        else assert.ok(taken.error.field in FORM_FIELDS);
      }),
      { numRuns: 500 },
    );
  });

  it('long crafted form parameters are read quickly', () => {
    const nasty = [
      'a'.repeat(255),
      `${'a.'.repeat(120)}@`,
      `${'a-'.repeat(127)}!`,
      `${"a'".repeat(29)}!`,
      ' '.repeat(2_000),
    ];
    const tookMs = cpuMsOf(() => {
      for (const field of Object.keys(FORM_FIELDS)) for (const text of [...nasty, TOO_LONG]) read({ [field]: text });
    });
    assert.ok(tookMs < 1_000, `${tookMs} ms`);
  });
});
