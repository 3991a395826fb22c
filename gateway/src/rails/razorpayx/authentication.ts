/**
 * How RazorpayX and we know each other. Pure: no network, no clock.
 *
 * Confirmed by RazorpayX's pages: HTTP Basic with the key's id and secret, the word `Basic` written so and no other way;
 * a webhook's `X-Razorpay-Signature` is the lower-case hexadecimal HMAC-SHA256 of the raw body under the webhook's own secret;
 * after that secret is changed, repetitions of older events still bear the old one's. By the published tests of its
 * libraries: the vector in authentication.test.ts. There is no time in the signature, so what was told once can be told
 * again by anybody who saw it; telling again changes nothing here.
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
