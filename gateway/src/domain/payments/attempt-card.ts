/**
 * The stored part of a payer's card. The vault holds the sealed number, expiry and holder until the attempt ends; the
 * mask stays for good. The CVV passes through and must not be stored.
 */
import { HOUR_MS, type Instant } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { maskCard, type Vault, type VaultRecord } from '../vault/vault.ts';
import type { PaymentCard } from './payment-rail.ts';

/** The vault destroys the card of an older attempt, even if it is unfinished: only the first call needs the number. */
export const LONGEST_CARD_LIFE_MS = 12 * HOUR_MS;

/** The card as the commit that begins the attempt writes it. */
export interface AttemptCard {
  /** First six and last four digits. */
  readonly mask: string;
  readonly vaultRecord: VaultRecord;
  readonly destroyAt: Instant;
}

export function keepCard(
  vault: Pick<Vault, 'sealFields'>,
  { merchantId }: Pick<Merchant, 'merchantId'>,
  { number, expiry, holder }: PaymentCard,
  at: Instant,
): AttemptCard {
  return {
    mask: maskCard(number),
    vaultRecord: vault.sealFields(merchantId, at, { number, expiry, holder: new Secret(holder) }),
    destroyAt: at + LONGEST_CARD_LIFE_MS,
  };
}
