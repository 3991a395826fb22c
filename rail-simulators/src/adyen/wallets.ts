/**
 * Simulated wallets: tokens in Apple's and Google's formats, the validation of a token, and Apple Pay sessions. A real token
 * is encrypted for Adyen. Ours contains the card number as base64, so that a test chooses the outcome.
 */
import type { Fields } from '../kernel/fields.ts';
import { asFields, parseJson, textOf } from '../kernel/fields.ts';

type SimulatedWallet = 'apple_pay' | 'google_pay';

/** Returns the text that a browser would get from the wallet. `nonce` distinguishes two tokens of one card. */
export function simulatedToken(wallet: SimulatedWallet, number: string, nonce: string): string {
  const sealed = Buffer.from(JSON.stringify({ number, nonce })).toString('base64');
  const signature = Buffer.from(`signature of ${nonce}`).toString('base64');
  return JSON.stringify(
    wallet === 'apple_pay'
      ? { version: 'EC_v1', data: sealed, signature, header: { transactionId: nonce } }
      : { protocolVersion: 'ECv2', signature, signedMessage: sealed },
  );
}

/** Returns the card number in a wallet's `paymentMethod`. Undefined if the token cannot be decrypted. */
export function cardInToken(method: Fields): string | undefined {
  const isApple = textOf(method, 'type') === 'applepay';
  const text = isApple
    ? Buffer.from(textOf(method, 'applePayToken'), 'base64').toString()
    : textOf(method, 'googlePayToken');
  const sealed = textOf(asFields(parseJson(Buffer.from(text))), isApple ? 'data' : 'signedMessage');
  return textOf(asFields(parseJson(Buffer.from(sealed, 'base64'))), 'number') || undefined;
}

/** Returns an Apple Pay session as `/applePay/sessions` would, or undefined if a field is missing. */
export function applePaySession(fields: Fields): { readonly data: string } | undefined {
  const { displayName, domainName, merchantIdentifier } = fields;
  if (![displayName, domainName, merchantIdentifier].every((text) => typeof text === 'string' && text !== '')) return;
  const session = { displayName, domainName, merchantIdentifier, merchantSessionIdentifier: 'simulated' };
  return { data: Buffer.from(JSON.stringify(session)).toString('base64') };
}
