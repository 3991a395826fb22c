/**
 * The seal of a payout: a keyed hash of the payout's content, created at acceptance and checked before each call that may move
 * its money. A row that was changed in the database, or written there by hand, therefore never reaches a bank (decision 76).
 */
import { Secret } from '../../foundation/secret.ts';
import type { Vault } from '../vault/vault.ts';
import type { Payout } from './payout.ts';
import type { ReferenceOf } from './payout-order.ts';

type Sealing = Pick<Vault, 'fingerprint'>;

/** 128 bits: an attacker cannot find different content with the same seal. */
const SEAL_BYTES = 16;

export function sealOf({ fingerprint }: Sealing, payout: Payout): Buffer {
  return fingerprint(new Secret(sealedText(payout))).subarray(0, SEAL_BYTES);
}

export interface SealParts {
  readonly vault: Sealing;
  readonly referenceOf: ReferenceOf;
  /** If true, the gateway sends payouts that an earlier version accepted without a seal. */
  readonly sendsUnsealed: boolean;
}

/** A payout as the database contains it now. `reference` belongs to its latest attempt, and `rail` is about to send it. */
interface StoredPayout {
  readonly payout: Payout;
  readonly rail: string;
  readonly reference: string | null;
  readonly seal: Buffer | null;
}

/** The bank recognises a repeat by the reference, so it must be the payout's own. */
export function isAsAccepted({ vault, referenceOf, sendsUnsealed }: SealParts, stored: StoredPayout): boolean {
  const { rail, reference, seal } = stored;
  if (seal === null) return sendsUnsealed;
  const payout = { ...stored.payout, rail };
  return sealOf(vault, payout).equals(seal) && (reference === null || reference === referenceOf(payout));
}

/**
 * Returns the key and every part of the payout that an order contains (payout-order.ts). A merchant's payout may change its
 * rail before it is sent, the gateway's own payout may not. The vault itself protects the record behind the token. The
 * database does not preserve the order of the fields.
 */
function sealedText({ merchantId, payoutId, purpose, method, money, rail, beneficiary }: Payout): string {
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
    purpose === 'payout' ? null : rail,
  ];
  return `payout seal ${JSON.stringify(content)}`;
}
