import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Secret } from '../../foundation/secret.ts';
import { redactBytes } from './redact-request.ts';

const KEYS = [new Secret('Key/of "M1"'), new Secret('')];
const redacted = (text: string, isProven = false) =>
  redactBytes(Buffer.from(text, 'utf8'), { isProven, keys: KEYS }).toString('utf8');

const CARD = '4111111111111111';
const MASKED = '411111******1111';

describe('a request in the request log', () => {
  it('the request log redacts the merchant’s keys in every place and in every encoding', () => {
    assert.equal(redacted('{"Key/of "M1"":1}'), '{"***********":1}');
    assert.equal(redacted('{"x":"Key/of \\"M1\\""}'), '{"x":"*************"}');
    assert.equal(redacted('x=Key%2Fof%20%22M1%22&y=1'), 'x=*******************&y=1');
  });

  it('the request log masks card numbers in every notation and keeps the length of the string', () => {
    for (const [sent, kept] of [
      [`{"account":"${CARD}"}`, `{"account":"${MASKED}"}`],
      [`{"acount" : "${CARD}"}`, `{"acount" : "${MASKED}"}`],
      [`account=${CARD}&amount=1.00`, `account=${MASKED}&amount=1.00`],
      ['{"item":"card 4111 1111 1111 1111!"}', '{"item":"card 4111 11** **** 1111!"}'],
      ['custom=4111%201111%201111%201111', 'custom=4111%2011**%20****%201111'],
      [`{"x":"${'7'.repeat(70)}"}`, `{"x":"777777${'*'.repeat(60)}7777"}`],
      ['{"account":"4111-1111-1111-1112"}', '{"account":"4111-11**-****-1112"}'],
      ['{"x":4111111111111111}', `{"x":${MASKED}}`],
      ['{"x":"\\u0034111111111111111"}', '{"x":"\\u003411111******1111"}'],
      ['x=%34%31%31%31%31%31%31%31%31%31%31%31%31%31%31%31', `x=%34%31%31%31%31%31${'*'.repeat(18)}%31%31%31%31`],
      ['{"x":"４１１１１１１１１１１１１１１１"}', `{"x":"４１１１１１${'*'.repeat(18)}１１１１"}`],
      [`broken ${CARD}`, `broken ${MASKED}`],
      ['{"payout_id":"A17","amount":"100.00"}', '{"payout_id":"A17","amount":"100.00"}'],
      ['{"customs_phone":"+380501234567"}', '{"customs_phone":"+380501234567"}'],
    ] as const) {
      assert.equal(redacted(sent), kept, sent);
      assert.equal(Buffer.byteLength(redacted(sent)), Buffer.byteLength(sent));
    }
  });

  it('the request log masks secrets, and masks a signature only if it is valid', () => {
    const sent = '{"exp_date": "12/30","key":"a\\"b","sign":"HyTFPDEwJjcnCMmD/AE5wg=="}';
    assert.equal(redacted(sent), '{"exp_date": "*****","key":"****","sign":"HyTFPDEwJjcnCMmD/AE5wg=="}');
    assert.match(redacted(sent, true), /"sign":"HyTF\*{20}"/);
    assert.equal(redacted('sign=abcdefgh&key=k', true), 'sign=abcd****&key=*');
  });

  it('the request log never shows a valid card number', () => {
    const junk = fc.string({ unit: 'binary', maxLength: 30 });
    fc.assert(
      fc.property(junk, junk, (before, after) => {
        const sent = `${before}x${CARD}x${after}`;
        const kept = redacted(sent);
        return (
          !kept.includes(CARD) &&
          redactBytes(Buffer.from(sent), { isProven: true, keys: KEYS }).length === Buffer.byteLength(sent)
        );
      }),
      { numRuns: 200 },
    );
  });
});
