import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formatAmount, parseAmount, parsePercent, percentOf } from './money.ts';

const minor = fc.bigInt({ min: 1n, max: 99_999_999_999_999n });

describe('amounts', () => {
  it('an amount survives formatting and parsing', () => {
    fc.assert(
      fc.property(minor, (amount) => {
        const money = { currency: 'EUR', minor: amount } as const;
        assert.deepEqual(parseAmount(formatAmount(money), 'EUR'), money);
      }),
    );
  });

  it('parseAmount accepts no, one or two decimals', () => {
    assert.equal(parseAmount('10', 'EUR')?.minor, 1_000n);
    assert.equal(parseAmount('10.5', 'EUR')?.minor, 1_050n);
    assert.equal(parseAmount('0.01', 'EUR')?.minor, 1n);
    assert.equal(parseAmount('999999999999.99', 'EUR')?.minor, 99_999_999_999_999n);
  });

  it('parseAmount rejects every other format', () => {
    const refused = [
      '',
      '0',
      '0.00',
      '-0',
      '-1',
      '+1',
      '1e3',
      '1,00',
      '1.',
      '.5',
      '0.001',
      ' 1',
      '1 ',
      '1\n',
      '1_000',
      '0x10',
      '١٢',
      '１２',
      '1'.repeat(13),
      '9'.repeat(400),
      'NaN',
      'Infinity',
      '1.00.00',
      '1٫5',
      '1\u0000',
    ];
    for (const text of refused) assert.equal(parseAmount(text, 'EUR'), undefined, JSON.stringify(text));
  });

  it('formatAmount keeps the sign of a negative amount', () => {
    assert.equal(formatAmount({ currency: 'EUR', minor: -5n }), '-0.05');
  });
});

describe('percentages', () => {
  it('parsePercent reads millionths', () => {
    assert.equal(parsePercent('1.25'), 12_500n);
    assert.equal(parsePercent('100'), 1_000_000n);
    assert.equal(parsePercent('0.0001'), 1n);
    for (const text of ['100.0001', '-1', '1.00001', '', '1%', 'x']) assert.equal(parsePercent(text), undefined, text);
  });

  it('percentOf rounds half a minor unit up', () => {
    assert.equal(percentOf({ currency: 'EUR', minor: 50n }, 10_000n).minor, 1n);
    assert.equal(percentOf({ currency: 'EUR', minor: 49n }, 10_000n).minor, 0n);
  });

  it('percentOf never exceeds the amount', () => {
    fc.assert(
      fc.property(minor, fc.bigInt({ min: 0n, max: 1_000_000n }), (amount, percent) => {
        const part = percentOf({ currency: 'EUR', minor: amount }, percent).minor;
        assert.ok(part >= 0n && part <= amount);
      }),
    );
  });
});
