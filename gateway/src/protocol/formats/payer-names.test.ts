import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isPayerName } from './payer-names.ts';

const LENIENT = { maxLength: 30, strict: false };
const STRICT = { maxLength: 30, strict: true };

describe('the payer name format', () => {
  it('a payer name may contain Latin letters with spaces, hyphens and apostrophes between them', () => {
    const good = [
      'A',
      'José',
      'Jose\u0301',
      'Muñoz',
      'Łukasz',
      'Weiß',
      'Ngũgĩ',
      "O'Neil",
      'O’Neil',
      'Anne-Marie',
      'de la Cruz',
    ];
    for (const text of good) assert.equal(isPayerName(text, LENIENT), true, text);
    const bad = [
      '',
      ' ',
      ' A',
      'A ',
      '-A',
      'A-',
      "'",
      'A.',
      'A1',
      'A_B',
      'Ⅷ',
      'Иван',
      'Ａндрей',
      '\u0301A',
      'A\u200bB',
      'A\nB',
      'A\u00a0B',
    ];
    for (const text of bad) assert.equal(isPayerName(text, LENIENT), false, JSON.stringify(text));
  });

  it('a payer name may contain only the letters A to Z under strict_names', () => {
    for (const text of ['A', 'Jose', 'MUNOZ']) assert.equal(isPayerName(text, STRICT), true, text);
    for (const text of ['José', "O'Neil", 'Anne Marie', 'Anne-Marie', 'A1', '']) {
      assert.equal(isPayerName(text, STRICT), false, text);
    }
  });

  it('the length of a payer name counts characters', () => {
    assert.equal(isPayerName('é'.repeat(30), LENIENT), true);
    assert.equal(isPayerName('é'.repeat(31), LENIENT), false);
    assert.equal(isPayerName('A'.repeat(1_000_000), LENIENT), false);
  });

  it('a valid payer name contains only letters, marks, spaces, hyphens and apostrophes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (text) => {
        if (isPayerName(text, LENIENT)) assert.match(text, /^[\p{L}\p{M} '’-]+$/u);
      }),
    );
  });
});
