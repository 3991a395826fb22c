/**
 * What is kept of a payer's card: the number, its expiry and the holder sealed in the vault until the attempt has ended, and
 * a mask for good. The CVV comes in here and goes nowhere.
 */
import { HOUR_MS, type Instant } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { maskCard, type Vault, type VaultRecord } from '../vault/vault.ts';
import type { PaymentCard } from './payment-rail.ts';

/** An attempt that has not ended by then goes on without it: nobody needs the number but the first call. */
export const LONGEST_CARD_LIFE_MS = 12 * HOUR_MS;

/** As the commit that begins the attempt writes it. */
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
