/** What a provider writes is cut and cleaned before it is kept; whatever it wrote, the database must take what is left. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { shownTextOf } from '../../src/rails/kit/provider-json.ts';
import { textOf as textOfPix } from '../../src/rails/pix/read-json.ts';
import { readRefusal } from '../../src/rails/razorpayx/refusals.ts';
import { readAnswer } from '../../src/rails/vopay/vopay-api.ts';

/** What rails pass on of a text that a provider wrote, to be kept beside a payment. */
const READERS: Readonly<Record<string, (text: string) => string>> = {
  'as most rails read it': (text) => shownTextOf({ text }, 'text'),
  'as Pix reads it': (text) => textOfPix({ text }, 'text'),
  'as VoPay tells of a failure': (text) => {
    const body = JSON.stringify({ Success: false, ErrorCode: '2001', ErrorMessage: text });
    const read = readAnswer(200, Buffer.from(body));
    return read.kind === 'failed' ? read.reason : '';
  },
  'as RazorpayX refuses': (text) => {
    const body = JSON.stringify({ error: { code: 'BAD_REQUEST_ERROR', description: text } });
    const { answer } = readRefusal(400, Buffer.from(body));
    return answer.reason;
  },
};

/** Long enough to be cut, of characters that take two places, half ones, and ones that nobody sees. */
const texts = fc.string({
  unit: fc.constantFrom('a', '\u{1F4B6}', '\uD83D', '\uDCB6', '\0', '\u0085', ' '),
  maxLength: 600,
});

describe('a text of a provider', () => {
  for (const [name, read] of Object.entries(READERS)) {
    it(`can be kept wherever it is cut: ${name}`, () => {
      fc.assert(
        fc.property(texts, (text) => {
          const kept = read(text);
          assert.ok(kept.isWellFormed(), 'half a character is no JSON that a database takes');
          assert.doesNotMatch(kept, /\p{Cc}/u);
        }),
      );
    });
  }
});
