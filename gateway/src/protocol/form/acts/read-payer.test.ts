import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { merchantNamed } from '../../../../test/support/merchants/merchant-named.ts';
import { CARD_BRANDS, CARD_NETWORKS, type CardBrand, findNetwork } from '../../../domain/methods/card-brand.ts';
import { isCardNumber } from '../../../domain/vault/card-number.ts';
import type { CardField, FieldError } from '../pages/page-view.ts';
import { readBrowser, readCard, readDetails } from './read-payer.ts';

const NOW = Date.UTC(2026, 10, 20);
const RIGHT = { card_number: '4111 1111 1111 1111', card_expiry: '11/26', card_cvv: '123', card_holder: 'Zoë D’Arc' };

const card = (change: Partial<Record<CardField, string>> = {}, brands: readonly CardBrand[] = CARD_BRANDS) =>
  readCard(new Map(Object.entries({ ...RIGHT, ...change })), NOW, brands);

describe('card data that a payer types', () => {
  it('the form accepts a typed card with any separators in its number and date', () => {
    for (const card_number of ['4111111111111111', ' 4111-1111-1111-1111 ', '4111  1111 11111111'])
      assert.equal(card({ card_number }).card?.number.reveal(), '4111111111111111');
    for (const card_expiry of ['1/27', '01/27', '01 / 2027', '0127', ' 1/2027'])
      assert.equal(card({ card_expiry }).card?.expiry.reveal(), '01/27');
  });

  it('the form rejects a typed card with one error per invalid field', () => {
    const cases: [CardField, string, FieldError][] = [
      ['card_number', '', 'required'],
      ['card_number', '4111111111111112', 'invalid'],
      ['card_number', '4111 1111 1111 111１', 'invalid'],
      ['card_expiry', '', 'required'],
      ['card_expiry', '10/26', 'expired'],
      ['card_expiry', '13/27', 'invalid'],
      ['card_expiry', 'soon', 'invalid'],
      ['card_cvv', '', 'required'],
      ['card_cvv', '12', 'invalid'],
      ['card_cvv', '1234', 'invalid'],
      ['card_cvv', 'abc', 'invalid'],
      ['card_holder', '', 'required'],
      ['card_holder', '-', 'invalid'],
      ['card_holder', 'A\u202eB', 'invalid'],
      ['card_holder', 'A'.repeat(61), 'too_long'],
    ];
    for (const [field, text, error] of cases) {
      const read = card({ [field]: text });
      assert.deepEqual([read.card, read.errors], [null, { [field]: error }], `${field} ${text}`);
    }
    const amex = { card_number: '378282246310005', card_cvv: '1234' };
    assert.ok(card(amex).card);
    assert.deepEqual(card({ ...amex, card_cvv: '123' }).errors, { card_cvv: 'invalid' });
  });

  it('the form rejects a typed card of a brand that the merchant does not accept', () => {
    const refused = (card_number: string) => card({ card_number, card_cvv: '' }, ['visa', 'amex']).errors.card_number;
    const others = ['5555555555554444', '6759649826438453', '30569309025904', '6011111111111117'];
    for (const number of others) assert.equal(refused(number), 'not_accepted', number);
    for (const number of ['4111111111111111', '378282246310005']) assert.equal(refused(number), undefined, number);
    assert.equal(refused('5555555555554445'), 'invalid');
  });

  it('the gateway lets the provider decide on a card of a network that is not in the settings', () => {
    const networks = CARD_NETWORKS.filter(({ brand }) => brand === null);
    assert.deepEqual(networks.map(({ name }) => name).sort(), ['Hiper', 'Mir', 'Naranja', 'RuPay', 'Troy', 'Verve']);
    for (const { name, prefixes } of networks) {
      const digits = (prefixes[0]?.[0] ?? '').padEnd(15, '0');
      const number = [...'0123456789'].map((last) => `${digits}${last}`).find(isCardNumber) ?? '';
      assert.equal(findNetwork(number, CARD_NETWORKS)?.name, name);
      assert.equal(card({ card_number: number }, ['visa']).errors.card_number, undefined, `${name} ${number}`);
    }
  });

  it('a typed card never appears in logs or JSON', () => {
    const { card: read } = card();
    assert.doesNotMatch(`${inspect(read, { depth: 9 })}${JSON.stringify(read)}`, /4111|11\/26|123/);
  });

  it('a card number in the holder field is rejected and not shown again', () => {
    assert.equal(card({ card_holder: '4111 1111 1111 1111', card_cvv: '' }).holder, '');
    const spread = [...'4111111111111111'].join(' ');
    for (const number of [spread, `${spread} ANNA`, '４１１１１１１１１１１１１１１１ ANNA']) {
      const { errors, holder } = card({ card_holder: number });
      assert.deepEqual([errors.card_holder, holder], ['invalid', ''], number);
    }
    assert.equal(card({ card_cvv: '' }).holder, 'Zoë D’Arc');
  });
});

describe('details that a payer types', () => {
  const { settings } = merchantNamed('M1');
  const read = (fields: Parameters<typeof readDetails>[0], typed: Record<string, string>) =>
    readDetails(fields, new Map(Object.entries(typed)), settings);

  it('the form removes the usual punctuation from typed details', () => {
    const { given, areRight } = read(['phone', 'cpf', 'city'], {
      phone: '+1 (416) 555-0123',
      cpf: '529.982.247-25',
      city: '  São Paulo ',
    });
    assert.deepEqual([given, areRight], [{ phone: '+14165550123', cpf: '52998224725', city: 'São Paulo' }, true]);
  });

  it('typed details are shown again with their errors, but only the requested details', () => {
    const { shown, areRight } = read(['email', 'last_name', 'region', 'post_code'], {
      email: 'jo',
      region: 'x'.repeat(101),
      post_code: '<b>',
      city: 'Kyiv',
    });
    assert.equal(areRight, false);
    assert.deepEqual(shown.errors, {
      email: 'invalid',
      last_name: 'required',
      region: 'too_long',
      post_code: 'invalid',
    });
    assert.deepEqual(Object.keys(shown.values), ['email', 'last_name', 'region', 'post_code']);
  });

  it('typed details never show a card number again, wherever it occurs in them', () => {
    const anything = fc.string({ maxLength: 20 });
    fc.assert(
      fc.property(anything, anything, fc.constantFrom('', ' ', '-'), (before, after, between) => {
        const number = ['4929', '4205', '7359', '5709'].join(between);
        const typed = `${before.replace(/\d/g, '')}${number}${after.replace(/\d/g, '')}`;
        const { shown } = read(['address', 'email'], { address: typed, email: typed });
        assert.doesNotMatch(JSON.stringify(shown), /4929[ -]?4205[ -]?7359[ -]?5709/);
      }),
    );
  });
});

describe('a card pasted into the wrong field', () => {
  const { settings } = merchantNamed('M1');
  const shownOf = (text: string) => readDetails(['email'], new Map([['email', text]]), settings).shown.values.email;

  it('a pasted card is not shown again, whatever surrounds or separates its digits', () => {
    const number = '4929420573595709';
    const fours = number.match(/.{4}/g) ?? [];
    const pasted = [
      `${fours.join(' ')} 11/38 739`,
      `${number} 739`,
      `1138 ${number}`,
      `0${number}1138739`,
      ...['.', '/', '_', '  ', '\u00a0', ' - '].map((between) => fours.join(between)),
      [...number].join(' '),
      [...number].map((digit) => String.fromCodePoint((digit.codePointAt(0) ?? 0) + 0xfee0)).join(''),
    ];
    for (const text of pasted) assert.equal(shownOf(text), undefined, text);
  });

  it('a long number that is not a card is shown again', () => {
    for (const text of ['+55 11 91234 5678', '380501234568', 'Main St 12, 10115']) assert.equal(shownOf(text), text);
  });
});

describe('the payer’s browser data', () => {
  it('the payer’s browser data is read from headers and fields, and out-of-range values are dropped', () => {
    const posted = new Map([
      ['browser_screen_width', '1280'],
      ['browser_screen_height', '-1'],
      ['browser_color_depth', '1e9'],
      ['browser_time_zone_offset', '-120'],
      ['browser_time_zone', 'Europe/Paris'],
      ['browser_java_script', 'true'],
    ]);
    assert.deepEqual(readBrowser({ 'user-agent': 'x'.repeat(9_000) }, posted), {
      userAgent: 'x'.repeat(512),
      acceptHeader: '',
      screenWidth: 1280,
      screenHeight: 0,
      colorDepth: 0,
      timeZoneOffset: -120,
      timeZone: 'Europe/Paris',
      hasJavaScript: true,
    });
  });

  it('an unknown time zone of the browser is stored as empty', () => {
    for (const zone of ['+02:00', 'Moon/Base', 'x'.repeat(99), '<b>', ''])
      assert.equal(readBrowser({}, new Map([['browser_time_zone', zone]])).timeZone, '', zone);
  });
});
