/**
 * Apple Pay and Google Pay: variants of the card type. A wallet encrypts a card for the rail's provider, so the gateway never
 * sees its number. The amount and the currency are the order's, whatever the token contains.
 */
import type { Deadline } from '../../foundation/deadline.ts';
import type { Result } from '../../foundation/result.ts';
import type { Secret } from '../../foundation/secret.ts';
import type { Vault } from '../vault/vault.ts';

export const WALLETS = ['apple_pay', 'google_pay'] as const;
export type Wallet = (typeof WALLETS)[number];

/** Held in memory from the payer's POST to the provider's response, like a card. */
export interface WalletPayment {
  readonly wallet: Wallet;
  /** JSON, as the wallet wrote it for the provider. */
  readonly token: Secret;
  /** The encrypted part of the token, which is the same in every spelling of the token. */
  readonly sealedPart: Secret;
}

/** The wallets that a card rail accepts, with the facts that a browser needs. */
export interface RailWallets {
  readonly applePay: {
    /** The country of the account at the provider: ISO 3166-1 alpha-2. */
    readonly country: string;
    /** Requests the session in which a page on this host may open the wallet. The text is Apple's and opaque. */
    openSession(
      shop: { readonly name: string; readonly host: string },
      deadline: Deadline,
    ): Promise<Result<string, string>>;
  } | null;
  readonly googlePay: {
    readonly environment: 'TEST' | 'PRODUCTION';
    /** The gateway's id at Google. */
    readonly merchantId: string;
    readonly gateway: string;
    /** The account at the provider. */
    readonly gatewayMerchantId: string;
  } | null;
}

/** The wallet of an attempt, as the commit that begins the attempt stores it. */
export interface AttemptWallet {
  readonly wallet: Wallet;
  /** A keyed hash of the sealed part. A merchant accepts each token once. */
  readonly tokenHash: Buffer;
}

export function keepWallet(
  { fingerprint }: Pick<Vault, 'fingerprint'>,
  { wallet, sealedPart }: WalletPayment,
): AttemptWallet {
  return { wallet, tokenHash: fingerprint(sealedPart) };
}
