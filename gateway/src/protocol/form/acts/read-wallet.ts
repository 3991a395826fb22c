/** Reads a wallet's token from the payer's POST. Only the provider can decrypt it; the gateway checks its shape. */
import { WALLETS, type WalletPayment } from '../../../domain/payments/wallet.ts';
import { Secret } from '../../../foundation/secret.ts';
import type { PostedFields } from './read-payer.ts';

/** Adyen takes 10,000 characters of base64. */
const LONGEST_BYTES = 7_500;

/** Undefined if it is no token of a wallet. */
export function readWalletPayment(posted: PostedFields): WalletPayment | undefined {
  const wallet = WALLETS.find((each) => each === posted.get('wallet'));
  const text = posted.get('wallet_token') ?? '';
  if (!wallet || Buffer.byteLength(text) > LONGEST_BYTES) return undefined;
  const fields = readObject(text);
  const sealed = wallet === 'apple_pay' ? fields['data'] : fields['signedMessage'];
  if (typeof sealed !== 'string' || sealed === '' || typeof fields['signature'] !== 'string') return undefined;
  return { wallet, token: new Secret(text), sealedPart: new Secret(sealed) };
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
