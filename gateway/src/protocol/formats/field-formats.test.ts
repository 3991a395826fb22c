import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPrintableText } from './field-formats.ts';

describe('the printable text format', () => {
  it('printable text may contain any script, markup and emoji', () => {
    const good = [
      'A',
      'Order 7: 2 × tea & cup, 10 % off',
      'Кава «Львівська» 250 г',
      'Қазақша кітап',
      'नेहा',
      '商品',
      '<script>alert(1)</script>',
      `"';--`,
      '👩‍👩‍👧 ❤️ 🇺🇦',
      '₴ 100',
      'a\u00a0b',
      ' padded ',
    ];
    for (const text of good) assert.equal(isPrintableText(text), true, JSON.stringify(text));
  });

  it('printable text may not contain invisible characters or change the direction of its surroundings', () => {
    const bad = [
      '',
      ' ',
      '\u00a0',
      'a\nb',
      'a\rb',
      'a\tb',
      'a\0b',
      'a\u001bb',
      'a\u007fb',
      'a\u0085b',
      'a\u200bb',
      'a\u2028b',
      'a\u202eb',
      'a\u2066b',
      'a\u200fb',
      'a\ufeffb',
      'a\ud800b',
      'a\ue000b',
      'a\uffffb',
      '\u200d',
      '\u0301',
    ];
    for (const text of bad) assert.equal(isPrintableText(text), false, JSON.stringify(text));
  });
});
