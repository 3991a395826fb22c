/**
 * What is kept of a payer's card: the number, its expiry and the holder sealed in the vault until the attempt has ended, and
 * a mask and a keyed hash for good. The CVV comes in here and goes nowhere.
 */
import { HOUR_MS, type Instant } from '../../foundation/clock.ts';
import { addressGroup } from '../../foundation/networks.ts';
import { Secret } from '../../foundation/secret.ts';
import type { PaymentCard } from '../deposits/payment-rail.ts';
import type { Merchant, MerchantId } from '../merchants/merchant.ts';
import { maskCard, type Vault, type VaultRecord } from '../vault/vault.ts';
import { type TryLimits, type TrySubject, tryLimitsOf } from './try-limits.ts';

/** An attempt that has not ended by then goes on without it: nobody needs the number but the first call. */
export const LONGEST_CARD_LIFE_MS = 12 * HOUR_MS;

/** As the commit that begins the attempt writes it, and counts it. */
export interface AttemptCard {
  /** First six and last four digits. */
  readonly mask: string;
  readonly vaultRecord: VaultRecord;
  readonly destroyAt: Instant;
  /** The keyed hashes by which tries are counted; null where there is nothing to count by. */
  readonly hashes: { readonly card: Buffer; readonly address: Buffer | null };
  readonly limits: TryLimits;
}

export interface CardParts {
  readonly vault: Pick<Vault, 'sealFields' | 'fingerprint'>;
  readonly defaultLimits: TryLimits;
  /** Told of each try that was refused for one too many. */
  readonly onTooManyTries: (merchantId: MerchantId, subject: TrySubject, at: Instant) => void;
}

/** `ip`: the payer's; empty where it is not known. */
export function keepCard(
  { vault, defaultLimits }: CardParts,
  merchant: Merchant,
  { number, expiry, holder }: PaymentCard,
  ip: string,
  at: Instant,
): AttemptCard {
  const group = addressGroup(ip);
  return {
    mask: maskCard(number),
    vaultRecord: vault.sealFields(merchant.merchantId, at, { number, expiry, holder: new Secret(holder) }),
    destroyAt: at + LONGEST_CARD_LIFE_MS,
    hashes: {
      card: vault.fingerprint(number),
      address: group === undefined ? null : vault.fingerprint(new Secret(`address/${group}`)),
    },
    limits: tryLimitsOf(merchant, defaultLimits),
  };
}
