import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isCpf } from './cpf.ts';

/** Published example numbers: from the worked calculation of the check digits, and from the Pix API 2.9. */
const PUBLISHED = ['11144477735', '52998224725', '12345678909'];

describe('the CPF format', () => {
  it('a CPF with correct check digits is valid', () => {
    for (const text of PUBLISHED) assert.equal(isCpf(text), true, text);
  });

  it('a CPF with incorrect check digits, another format or one repeated digit is invalid', () => {
    const bad = [
      '',
      '11144477734',
      '11144477725',
      '12345678900',
      '111.444.777-35',
      '111444777-35',
      ' 11144477735',
      '11144477735\n',
      '1114447773',
      '111444777350',
      '١١١٤٤٤٧٧٧٣٥',
      '１１１４４４７７７３５',
      '1114447773a',
      '+1114447773',
      '1'.repeat(10_000),
      ...Array.from({ length: 10 }, (_, digit) => String(digit).repeat(11)),
    ];
    for (const text of bad) assert.equal(isCpf(text), false, JSON.stringify(text));
  });

  it('nine digits that are not all equal have exactly one pair of CPF check digits', () => {
    const nine = fc.stringMatching(/^\d{9}$/).filter((text) => !/^(\d)\1{8}$/.test(text));
    fc.assert(
      fc.property(nine, (digits) => {
        const pairs = Array.from({ length: 100 }, (_, pair) => String(pair).padStart(2, '0'));
        assert.deepEqual(
          pairs.filter((pair) => isCpf(digits + pair)),
          [checkDigitsOf(digits)],
        );
      }),
      { numRuns: 200 },
    );
  });
});

/**
 * The same check digits by another formula. Weights rise from the left, the remainder is the digit, and ten becomes
 * zero.
 */
function checkDigitsOf(nine: string): string {
  const weigh = (digits: string, from: number) => {
    let sum = 0;
    for (let at = 0; at < digits.length; at += 1) sum += Number(digits.charAt(at)) * (from + at);
    return String((sum % 11) % 10);
  };
  const first = weigh(nine, 1);
  return first + weigh(nine + first, 0);
}
