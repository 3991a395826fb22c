/** Checks the webhook signature against published vectors, and against changed bytes. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Secret } from '../../foundation/secret.ts';
import { isSignedWebhook } from './authentication.ts';

const VECTOR = {
  body: Buffer.from('{"a":1,"b":2,"c":{"d":3}}'),
  secret: new Secret('123456'),
  signature: '2fe04e22977002e6c7cb553adab8b460cb9e2a4970d5953cb27a8472752e3bbc',
};

describe('the signature of a RazorpayX webhook', () => {
  const { body, secret, signature } = VECTOR;

  it('a RazorpayX signature of RazorpayX’s libraries is valid for its published body and secret', () => {
    assert.ok(isSignedWebhook(body, signature, [secret]));
  });

  it('the RazorpayX signature is accepted under any configured secret, and under no other', () => {
    const other = new Secret('654321');
    assert.ok(isSignedWebhook(body, signature, [other, secret]));
    assert.equal(isSignedWebhook(body, signature, [other]), false);
    assert.equal(isSignedWebhook(body, signature, []), false);
  });

  it('an empty RazorpayX secret or a missing signature does not authenticate anything', () => {
    const signed = createHmac('sha256', '').update(body).digest('hex');
    assert.equal(isSignedWebhook(body, signed, [new Secret('')]), false);
    for (const wrong of [undefined, '', signature.toUpperCase(), ` ${signature}`, signature.slice(1)])
      assert.equal(isSignedWebhook(body, wrong, [secret]), false);
  });

  it('the RazorpayX signature covers every byte of the body', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), fc.nat(), fc.integer({ min: 1, max: 255 }), (bytes, at, change) => {
        const sent = Buffer.from(bytes);
        const signed = createHmac('sha256', secret.reveal()).update(sent).digest('hex');
        const changed = Buffer.from(sent);
        const place = at % sent.length;
        changed[place] = (changed[place] ?? 0) ^ change;
        return isSignedWebhook(sent, signed, [secret]) && !isSignedWebhook(changed, signed, [secret]);
      }),
    );
  });
});
