/**
 * Limits on payment attempts. Each attempt makes a provider contact a third party: a card's bank, the owner of an email
 * address, or a bank to which a payer is redirected. Attempts are therefore counted by target, by the payer's IP address and,
 * on unsigned forms, by merchant (decision 56). Each limit is a merchant's setting, and counts only that merchant's attempts.
 */
import { HOUR_MS } from '../../../foundation/clock.ts';
import type { Environment } from '../../../foundation/environment.ts';
import { addressGroup } from '../../../foundation/networks.ts';
import { Secret } from '../../../foundation/secret.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import { mailboxOf } from '../../people/person.ts';
import type { Vault } from '../../vault/vault.ts';
import type { FormSession } from '../form-session.ts';
import type { PaymentCard, PaymentPayer, PaymentRail } from '../payment-rail.ts';

/**
 * `merchant` counts all attempts on the merchant's unsigned forms: the merchant controls the number of signed forms, but not
 * of unsigned ones.
 */
export const LIMIT_SUBJECTS = ['target', 'address', 'merchant'] as const;
export type LimitSubject = (typeof LIMIT_SUBJECTS)[number];

/** The number of attempts in LIMIT_WINDOW_MS. 0 means no limit. Cards have a separate limit among the targets. */
type AttemptLimits = Readonly<Record<LimitSubject | 'card', number>>;

export const LIMIT_WINDOW_MS = HOUR_MS;

/** The limits that apply unless the merchant's settings differ. */
export const DEFAULT_ATTEMPT_LIMITS: Readonly<Record<Environment, AttemptLimits>> = {
  development: { card: 0, target: 0, address: 0, merchant: 0 },
  production: { card: 10, target: 5, address: 30, merchant: 1_000 },
};

/** An attempt as the limits count it, stored by the commit that begins it. */
export interface CountedAttempt {
  /** Keyed hashes. Null if there is no value to count by. */
  readonly hashes: { readonly target: Buffer | null; readonly address: Buffer | null };
  readonly isSigned: boolean;
  readonly limits: Readonly<Record<LimitSubject, number>>;
}

export interface CountingParts {
  readonly vault: Pick<Vault, 'fingerprint'>;
  readonly defaultLimits: AttemptLimits;
}

interface WantedAttempt {
  readonly session: Pick<FormSession, 'isSigned'>;
  readonly merchant: Pick<Merchant, 'settings'>;
  readonly rail: Pick<PaymentRail, 'target'>;
  readonly payer: PaymentPayer;
  readonly card: PaymentCard | null;
}

export function countAttempt({ vault, defaultLimits }: CountingParts, wanted: WantedAttempt): CountedAttempt {
  const { session, merchant, rail, payer, card } = wanted;
  const limits = limitsOf(merchant, defaultLimits);
  const group = addressGroup(payer.ip);
  return {
    hashes: {
      target: card ? vault.fingerprint(card.number) : targetHash(vault, rail, payer),
      address: group === undefined ? null : vault.fingerprint(new Secret(`address/${group}`)),
    },
    isSigned: session.isSigned,
    limits: { ...limits, target: card ? limits.card : limits.target },
  };
}

function limitsOf({ settings }: Pick<Merchant, 'settings'>, defaults: AttemptLimits): AttemptLimits {
  return {
    card: settings.card_attempt_limit ?? defaults.card,
    target: settings.target_attempt_limit ?? defaults.target,
    address: settings.address_attempt_limit ?? defaults.address,
    merchant: settings.merchant_attempt_limit ?? defaults.merchant,
  };
}

function targetHash(
  vault: CountingParts['vault'],
  { target }: Pick<PaymentRail, 'target'>,
  payer: PaymentPayer,
): Buffer | null {
  if (target === null || payer[target] === '') return null;
  const text = target === 'email' ? mailboxOf(payer.email) : payer[target];
  return vault.fingerprint(new Secret(`${target}/${text}`));
}
