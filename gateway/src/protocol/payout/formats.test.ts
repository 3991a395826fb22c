import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { BAD_AMOUNTS } from '../../../test/support/tools/bad-amounts.ts';
import { cpuMsOf } from '../../../test/support/tools/cpu-time.ts';
import { FORMATS, type FormatContext, type FormatName } from './formats.ts';

/** 2026-11-20 12:00:00 UTC. */
const CONTEXT: FormatContext = { now: Date.UTC(2026, 10, 20, 12), checkInn: false };

interface Examples {
  readonly good: readonly string[];
  readonly bad: readonly string[];
}

const EXAMPLES: Readonly<Record<FormatName, Examples>> = {
  id: { good: ['A17', 'a.b_c-d', '0', 'x'.repeat(64)], bad: ['', 'x'.repeat(65), 'a b', 'a:b', 'ä', 'a\n', '٣'] },
  amount: {
    good: ['1', '0.01', '10.5', '999999999999.99', '01.00'],
    bad: [...BAD_AMOUNTS, '1\0'],
  },
  currency: { good: ['EUR', 'XXX'], bad: ['eur', 'EU', 'EURO', 'E R', '', 'EUR\n'] },
  card: {
    good: ['4111111111111111', '5555555555554444', '4222222222222', '6304000000000000', '6011000990139424'],
    bad: [
      '4111111111111112',
      '41111111111111',
      '4111 1111 1111 1111',
      '0',
      '',
      '٤١١١١١١١١١١١١١١١',
      '4'.repeat(20),
      '4111111111111111\n',
    ],
  },
  visaCard: { good: ['4111111111111111'], bad: ['5555555555554444', '4111111111111112', '6011000990139424'] },
  mastercard: { good: ['5555555555554444', '2223003122003222'], bad: ['4111111111111111', '5555555555554445'] },
  sandboxCard: {
    good: ['4111111111111112', '1'.repeat(12), '1'.repeat(19)],
    bad: ['1'.repeat(11), '1'.repeat(20), '4111-1111-1111', ''],
  },
  expiry: {
    good: ['11/26', '12/26', '01/27', '12/39'],
    bad: ['10/26', '11/25', '13/27', '00/27', '1/27', '11/2027', '11-27', '1127', ' 11/27', ''],
  },
  kazakhMobile: {
    good: ['77011234567', '77771234567'],
    bad: ['+77011234567', '87011234567', '79161234567', '77172123456', '7701123456', '770112345678', '7701 123 45 67'],
  },
  bankAccount: {
    good: ['50100012345678', '12345', 'ABC0012345'],
    bad: ['1234', '1'.repeat(35), '123 456', '123:456', ''],
  },
  ukrainianIban: {
    good: ['UA213223130000026007233566001'],
    bad: [
      'UA213223130000026007233566002',
      'DE89370400440532013000',
      'UA21 3223130000026007233566001',
      'ua213223130000026007233566001',
      'UA21',
    ],
  },
  accountOrEmail: {
    good: ['jo@example.com', '1234567890'],
    bad: ['jo@', '12:34567', '@example.com', '', 'jo doe@example.com'],
  },
  personName: {
    good: [
      'Jo Do',
      'José Núñez',
      "Anne-Marie O'Neil",
      'Айгуль Сапарова',
      '李小龙',
      'J. R. Smith',
      'Sammy Davis Jr.',
      'नेहा शर्मा',
    ],
    bad: ['', ' Jo', 'Jo ', 'Jo2', 'Jo<b>', 'Jo:Do', 'Jo\nDo', '-', 'Jo\u202eDo', '4111111111111111'],
  },
  latinName: {
    good: ['Ivan P', 'José Muñoz', 'Weiß', 'Łukasz Əliyev', 'Nguyễn', 'Jose\u0301', 'A. B.'],
    bad: ['Іван П', 'Jo Dоe', 'Jo1', '', '李'],
  },
  address: {
    good: ['Lange Straße 7', '12/3 Main St., Apt. #4', 'вул. Хрещатик, 1'],
    bad: ['', ' a', 'a<b>', 'a:b', 'a\nb', 'a\u202eb'],
  },
  postCode: { good: ['50667', 'K1A 0B1', 'SW1A 1AA', '00-950'], bad: ['', '-1', '1 ', 'ä', '1:2'] },
  birthday: {
    good: ['29-02-1988', '20-11-2026', '01-01-1900'],
    bad: [
      '29-02-1987',
      '31-04-1990',
      '21-11-2026',
      '1988-02-29',
      '29/02/1988',
      '29-2-1988',
      '29-02-88',
      '01-01-1899',
      '00-01-1990',
    ],
  },
  indianPhone: {
    good: ['+919876543210'],
    bad: ['919876543210', '+91987654321', '+9198765432100', '+929876543210', '+91 9876543210'],
  },
  phone: {
    good: ['+14165550123', '+4915112345678', '+380501234567'],
    bad: ['14165550123', '+123', '+1416555', '+1 416 555 0123', '+00000000000', '+'],
  },
  phonePlusOptional: { good: ['+14165550123', '14165550123'], bad: ['1416555', '++14165550123', '1-416-555-0123', ''] },
  email: {
    good: ['a@b.co', 'first.last+tag@sub.example.com', 'x@xn--bcher-kva.example'],
    bad: [
      'a',
      'a@b',
      '@b.co',
      'a@',
      'a b@c.de',
      'a..b@c.de',
      '.a@c.de',
      'a@-c.de',
      'a@c-.de',
      'a@c..de',
      'a@b@c.de',
      `${'a'.repeat(65)}@c.de`,
      'a:b@c.de',
      'ä@c.de',
      'a@c.de\n',
    ],
  },
  ifsc: {
    good: ['HDFC0000001', 'SBIN0ABC123'],
    bad: ['HDFC1000001', 'HDFC000001', 'hdfc0000001', 'QQQQ0000001', 'HDFC00000001', 'toString0001'],
  },
  ip: {
    good: ['203.0.113.7', '2001:db8::1', '::1', '::ffff:203.0.113.7'],
    bad: [
      '203.0.113',
      '203.0.113.256',
      '0x7f.1',
      '2130706433',
      '010.0.0.1',
      '1.2.3.4/24',
      'fe80::1%eth0',
      ':::',
      '',
      'host',
    ],
  },
  country: { good: ['DE', 'de', 'uA'], bad: ['DEU', 'XX', 'D', '', '276', 'D1'] },
  inn: {
    good: ['3184710691', '3184710692', 'АБ123456', 'AB123456', '123456789'],
    bad: ['31847106', '31847106911', 'A1234567', 'аб123456', ''],
  },
};

describe('payout formats', () => {
  for (const [name, { good, bad }] of Object.entries(EXAMPLES) as [FormatName, Examples][]) {
    it(`the format ${name} accepts valid values`, () => {
      for (const text of good) assert.equal(FORMATS[name](text, CONTEXT), true, JSON.stringify(text));
    });
    it(`the format ${name} rejects invalid values`, () => {
      for (const text of bad) assert.equal(FORMATS[name](text, CONTEXT), false, JSON.stringify(text));
    });
  }

  it('a card is valid until the last moment of its expiry month, UTC', () => {
    const last = Date.UTC(2026, 11, 1) - 1;
    assert.equal(FORMATS.expiry('11/26', { ...CONTEXT, now: last }), true);
    assert.equal(FORMATS.expiry('11/26', { ...CONTEXT, now: last + 1 }), false);
    assert.equal(FORMATS.expiry('12/26', { ...CONTEXT, now: Date.UTC(2027, 0, 1) }), false);
  });

  it('the check digit of an INN is verified only if the merchant’s setting requires it', () => {
    const strict = { ...CONTEXT, checkInn: true };
    assert.equal(FORMATS.inn('3184710691', strict), true);
    assert.equal(FORMATS.inn('3184710692', strict), false);
    assert.equal(FORMATS.inn('AB123456', strict), true);
  });

  it('a card number with one changed digit is invalid', () => {
    const digits = fc.array(fc.nat(9), { minLength: 11, maxLength: 18 });
    fc.assert(
      fc.property(digits, fc.nat(18), fc.integer({ min: 1, max: 9 }), (body, position, shift) => {
        const card = [...body, luhnDigit(body)];
        assert.equal(FORMATS.card(card.join(''), CONTEXT), true);
        const at = position % card.length;
        card[at] = ((card[at] ?? 0) + shift) % 10;
        assert.equal(FORMATS.card(card.join(''), CONTEXT), false);
      }),
    );
  });

  it('no string makes a payout format slow or throw', () => {
    const nasty = [
      'a'.repeat(255),
      `${'a.'.repeat(120)}@`,
      `${'a-'.repeat(127)}!`,
      `a@${'a.'.repeat(126)}`,
      ' '.repeat(255),
    ];
    const tookMs = cpuMsOf(() => {
      for (const format of Object.values(FORMATS))
        for (const text of nasty) assert.equal(typeof format(text, CONTEXT), 'boolean');
    });
    assert.ok(tookMs < 1_000, `${tookMs} ms`);
    const anyText = fc.string({ unit: 'binary', maxLength: 40 });
    fc.assert(
      fc.property(anyText, (text) =>
        Object.values(FORMATS).every((format) => typeof format(text, CONTEXT) === 'boolean'),
      ),
    );
  });
});

/** The Luhn digit that completes `body`, found by trying all digits. It does not share a code with the check. */
function luhnDigit(body: readonly number[]): number {
  const sum = [...body].reverse().reduce((total, digit, at) => {
    const weighed = at % 2 === 0 ? digit * 2 : digit;
    return total + Math.floor(weighed / 10) + (weighed % 10);
  }, 0);
  return (10 - (sum % 10)) % 10;
}
