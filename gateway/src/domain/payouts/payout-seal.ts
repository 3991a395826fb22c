/**
 * The seal of a payout: a keyed hash of the payout's content, made at acceptance and checked before each send. A row
 * that was changed in the database, or written there by hand, then reaches no bank (decision 76).
 */
import { Secret } from '../../foundation/secret.ts';
import type { Vault } from '../vault/vault.ts';
import type { Payout } from './payout.ts';

type Sealing = Pick<Vault, 'fingerprint'>;

/** 128 bits: nobody finds another content with the same seal. */
const SEAL_BYTES = 16;

export function sealOf({ fingerprint }: Sealing, payout: Payout): Buffer {
  return fingerprint(new Secret(sealedText(payout))).subarray(0, SEAL_BYTES);
}

/** False for a payout without a seal. */
export function isAsAccepted(sealing: Sealing, payout: Payout, seal: Buffer | null): boolean {
  return seal !== null && sealOf(sealing, payout).equals(seal);
}

/**
 * The key and everything of the payout that an order holds (payout-order.ts). The rail may change before the send. The vault
 * itself protects the record behind the token. The database does not keep the order of the fields.
 */
function sealedText({ merchantId, payoutId, purpose, method, money, beneficiary }: Payout): string {
  const { accountShown, fields, vaultToken } = beneficiary;
  const entries = Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1));
  const content = [
    merchantId,
    payoutId,
    purpose,
    method,
    money.currency,
    `${money.minor}`,
    accountShown,
    entries,
    vaultToken,
  ];
  return `payout seal ${JSON.stringify(content)}`;
}
