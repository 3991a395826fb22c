/**
 * A rail truncates and sanitises a provider's text before the gateway stores it. The database must accept the result for any
 * text.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { shownTextOf } from '../../src/rails/kit/provider-json.ts';
import { textOf as textOfPix } from '../../src/rails/pix/read-fields.ts';
import { readRefusal } from '../../src/rails/razorpayx/refusals.ts';
import { readAnswer } from '../../src/rails/vopay/api.ts';

/** The functions with which rails read provider texts that are stored with a payment. */
const READERS: Readonly<Record<string, (text: string) => string>> = {
  'as most rails read it': (text) => shownTextOf({ text }, 'text'),
  'as Pix reads it': (text) => textOfPix({ text }, 'text'),
  'as VoPay reports a failure': (text) => {
    const body = JSON.stringify({ Success: false, ErrorCode: '2001', ErrorMessage: text });
    const read = readAnswer(200, Buffer.from(body));
    return read.kind === 'failed' ? read.reason : '';
  },
  'as RazorpayX rejects': (text) => {
    const body = JSON.stringify({ error: { code: 'BAD_REQUEST_ERROR', description: text } });
    const { answer } = readRefusal(400, Buffer.from(body));
    return answer.reason;
  },
};

/** Texts long enough to be truncated, with surrogate pairs, lone surrogates and control characters. */
const texts = fc.string({
  unit: fc.constantFrom('a', '\u{1F4B6}', '\uD83D', '\uDCB6', '\0', '\u0085', ' '),
  maxLength: 600,
});

describe('texts of providers', () => {
  for (const [name, read] of Object.entries(READERS)) {
    it(`a provider’s string can be stored wherever it is truncated: ${name}`, () => {
      fc.assert(
        fc.property(texts, (text) => {
          const kept = read(text);
          assert.ok(kept.isWellFormed(), 'a lone surrogate is not valid JSON for the database');
          assert.doesNotMatch(kept, /\p{Cc}/u);
        }),
      );
    });
  }
});
