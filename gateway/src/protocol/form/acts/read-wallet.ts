/** Reads a wallet's token from the payer's POST. Only the provider can decrypt it; the gateway checks its shape. */
import { WALLETS, type WalletPayment } from '../../../domain/payments/wallet.ts';
import { Secret } from '../../../foundation/secret.ts';
import { type JsonObject, parseJsonObject } from '../../http/json-body.ts';
import type { PostedFields } from './read-payer.ts';

/** Adyen accepts at most 10,000 characters of base64. */
const LONGEST_BYTES = 7_500;

/** Returns undefined if the string is not a wallet's token. */
export function readWalletPayment(posted: PostedFields): WalletPayment | undefined {
  const wallet = WALLETS.find((each) => each === posted.get('wallet'));
  const text = posted.get('wallet_token') ?? '';
  if (!wallet || Buffer.byteLength(text) > LONGEST_BYTES) return undefined;
  const fields = readObject(text);
  const sealed = fields.get(wallet === 'apple_pay' ? 'data' : 'signedMessage');
  if (typeof sealed !== 'string' || sealed === '' || typeof fields.get('signature') !== 'string') return undefined;
  return { wallet, token: new Secret(text), sealedPart: new Secret(sealed) };
}

/** Strict: the provider could interpret a repeated key differently, and a token would pay twice with two hashes. */
function readObject(text: string): JsonObject {
  try {
    return parseJsonObject(text);
  } catch {
    return new Map();
  }
}
