import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { latinText } from './latin-text.ts';

describe('a string in Latin letters', () => {
  it('a string in Latin letters has only allowed characters for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        assert.match(latinText(text, /[A-Za-z./ -]/), /^(?:[A-Za-z./-](?:[A-Za-z./ -]*[A-Za-z./-])?)?$/);
      }),
    );
  });

  it('a string of allowed characters stays unchanged', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z]{1,10}(?: [A-Za-z.-]{1,10}){0,3}$/), (text) => {
        assert.equal(latinText(text, /[A-Za-z./ -]/), text);
      }),
    );
  });
});
