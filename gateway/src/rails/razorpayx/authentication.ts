/**
 * Authenticates us to RazorpayX and RazorpayX to us. Pure: no network, no clock.
 *
 * Confirmed by RazorpayX's pages: HTTP Basic with the key's id and secret, with the word `Basic` in exactly this spelling. A
 * webhook's `X-Razorpay-Signature` is the lower-case hexadecimal HMAC-SHA256 of the raw body with the webhook's own secret.
 * After a change of that secret, repeats of older events still have the old signature. Confirmed by the published tests of its
 * libraries: the vector in authentication.test.ts. The signature covers no time, so anyone who saw a webhook can replay it. A
 * replay has no effect here.
 */
import { createHmac } from 'node:crypto';
import { equalInConstantTime, type Secret } from '../../foundation/secret.ts';

export const SIGNATURE_HEADER = 'x-razorpay-signature';

export function isSignedWebhook(body: Buffer, signature: string | undefined, secrets: readonly Secret[]): boolean {
  return secrets.some((secret) => !secret.isEmpty && equalInConstantTime(signature ?? '', signatureOf(body, secret)));
}

function signatureOf(body: Buffer, secret: Secret): string {
  return createHmac('sha256', secret.reveal()).update(body).digest('hex');
}
