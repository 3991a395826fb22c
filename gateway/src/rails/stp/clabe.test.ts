import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clabe as oracle } from 'clabe-validator';
import fc from 'fast-check';
import { clabeCapacity, clabeCheckDigit, composeClabe, isClabe } from './clabe.ts';

const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));
const prefix = fc.integer({ min: 0, max: 10 }).chain((length) => digits(length).map((rest) => `646180${rest}`));
const prefixAndNumber = prefix.chain((begin) =>
  fc.tuple(fc.constant(begin), fc.bigInt({ min: 0n, max: clabeCapacity(begin) - 1n })),
);

describe('CLABE account numbers', () => {
  it('an independent validator accepts the check digit of a CLABE', () => {
    fc.assert(
      fc.property(digits(17), (first) => {
        assert.equal(clabeCheckDigit(first), String(oracle.computeChecksum(first)));
      }),
    );
  });

  it('a CLABE composed of a prefix and a number is valid to an independent validator and contains both', () => {
    fc.assert(
      fc.property(prefixAndNumber, ([begin, number]) => {
        const made = composeClabe(begin, number);
        const check = oracle.validate(made);
        assert.deepEqual([check.ok, check.tag, check.clabe], [true, 'STP', made]);
        assert.ok(isClabe(made) && made.startsWith(begin));
        assert.equal(BigInt(made.slice(begin.length, -1)), number);
      }),
    );
  });

  it('a CLABE with one changed digit is invalid', () => {
    fc.assert(
      fc.property(prefixAndNumber, fc.nat(17), fc.integer({ min: 1, max: 9 }), ([begin, number], place, step) => {
        const made = composeClabe(begin, number);
        const other = String((Number(made[place]) + step) % 10);
        assert.equal(isClabe(made.slice(0, place) + other + made.slice(place + 1)), false);
      }),
    );
  });

  for (const text of [
    '',
    '64618011040000000',
    '6461801104000000070',
    '64618011040000000D',
    ' 646180110400000007',
    '６46180110400000007',
  ]) {
    it(`the string “${text}” is not a CLABE`, () => assert.equal(isClabe(text), false));
  }

  it('a number beyond the capacity of its prefix has no CLABE', () => {
    assert.equal(clabeCapacity('6461804990'), 10_000_000n);
    for (const number of [-1n, 10_000_000n])
      assert.throws(() => composeClabe('6461804990', number), /exceeds the prefix/);
    for (const begin of ['64618', '64618012345678901', '646180A']) {
      assert.throws(() => composeClabe(begin, 0n), /6 to 16 digits/);
    }
  });
});
