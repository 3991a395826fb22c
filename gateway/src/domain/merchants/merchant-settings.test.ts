import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSettingName, type MerchantSettings, readMerchantSettings } from './merchant-settings.ts';

function settings(raw: Readonly<Record<string, string>>): MerchantSettings {
  const read = readMerchantSettings(raw);
  assert(read.ok, JSON.stringify(read));
  return read.value;
}

function faultOf(raw: Readonly<Record<string, string>>): string {
  const read = readMerchantSettings(raw);
  assert(!read.ok, JSON.stringify(raw));
  return read.error;
}

describe('the settings of a merchant', () => {
  it('an unset merchant setting has its default', () => {
    const { form_sign, strict_form_fields, default_lang, allowed_embedding_origins, form_attempts, ...rest } = settings(
      {},
    );
    assert.deepEqual(
      { form_sign, strict_form_fields, default_lang, allowed_embedding_origins, form_attempts },
      {
        form_sign: 'optional',
        strict_form_fields: 'off',
        default_lang: null,
        allowed_embedding_origins: [],
        form_attempts: 5,
      },
    );
    assert.equal(rest.perCurrency('default_payment_type', 'EUR'), undefined);
    assert.equal(rest.perMethod('fee_fixed', 9, 'EUR'), undefined);
  });

  it('a setting is global, per method and currency, or per currency', () => {
    const read = settings({
      default_lang: 'kk',
      'fee_percent.9.EUR': '1.5',
      'min_amount.card.EUR': '2.00',
      'default_payment_type.EUR': 'open_banking',
    });
    assert.equal(read.default_lang, 'kk');
    assert.equal(read.perMethod('fee_percent', 9, 'EUR'), 15_000n);
    assert.equal(read.perMethod('min_amount', 'card', 'EUR'), 200n);
    assert.equal(read.perMethod('min_amount', 'card', 'USD'), undefined);
    assert.equal(read.perCurrency('default_payment_type', 'EUR'), 'open_banking');
    assert.equal(read.perCurrency('default_payment_type', 'USD'), undefined);
  });

  it('an unknown merchant setting is rejected with its name', () => {
    const unknown = [
      'toString',
      'default_payment_type',
      'default_payment_type.XXX',
      'default_payment_type.card.EUR',
      'fee_fixed.EUR',
      'form_sign.EUR',
      'constructor.EUR',
    ];
    for (const name of unknown) {
      assert.equal(isSettingName(name), false, name);
      assert.match(faultOf({ [name]: 'card' }), /^Unknown setting: "/);
    }
    for (const name of ['form_sign', 'default_payment_type.EUR', 'fee_fixed.9.EUR'])
      assert.equal(isSettingName(name), true, name);
  });

  it('default_payment_type accepts only payment types of the form that accept the currency', () => {
    for (const type of ['e_transfer', 'spei', 'Card', '', 'toString'])
      assert.match(faultOf({ 'default_payment_type.EUR': type }), /accepts one of card, .* that accepts the currency/);
    assert.match(faultOf({ 'default_payment_type.MXN': 'spei' }), /accepts/);
    assert.match(faultOf({ 'default_payment_type.TST': 'card' }), /accepts/);
  });

  it('allowed_embedding_origins accepts origins as browsers send them, and rejects characters with a meaning in headers', () => {
    const origins = 'https://shop.example, https://pay.shop.example:8443,http://localhost:3000, http://127.0.0.1';
    assert.deepEqual(settings({ allowed_embedding_origins: origins }).allowed_embedding_origins, [
      'https://shop.example',
      'https://pay.shop.example:8443',
      'http://localhost:3000',
      'http://127.0.0.1',
    ]);
    assert.deepEqual(settings({ allowed_embedding_origins: '' }).allowed_embedding_origins, []);
    const bad = [
      'https://shop.example/',
      'https://shop.example/path',
      'https://Shop.example',
      'https://shop.example:443',
      'https://shop.example:99999',
      'https://*.shop.example',
      'https://u@shop.example',
      "https://shop.example;script-src 'unsafe-inline'",
      'https://a;b.example',
      'https://shop.example https://evil.example',
      'http://shop.example',
      'http://localhost.evil.example',
      'shop.example',
      '*',
      "'self'",
      'data:',
      'https://',
      'https://магазин.example',
      'https://shop.example,',
    ];
    for (const origin of bad) assert.match(faultOf({ allowed_embedding_origins: origin }), /accepts origins/, origin);
  });
});
