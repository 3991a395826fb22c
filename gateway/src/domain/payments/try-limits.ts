/**
 * How often somebody may try to pay by card: against card testing, where stolen numbers are tried out on somebody's form
 * until one works (decision 0056). Each limit is the merchant's, and counts their tries alone.
 */
import { HOUR_MS } from '../../foundation/clock.ts';
import type { Environment } from '../../foundation/environment.ts';
import type { Merchant } from '../merchants/merchant.ts';

/** What is counted: tries with one card, whoever has it, and tries with any card from one address. */
export const TRY_SUBJECTS = ['card', 'address'] as const;
export type TrySubject = (typeof TRY_SUBJECTS)[number];

/** Tries in TRY_WINDOW_MS; 0 = no limit. */
export type TryLimits = Readonly<Record<TrySubject, number>>;

export const TRY_WINDOW_MS = HOUR_MS;

/** Where the merchant's settings say nothing. */
export const DEFAULT_TRY_LIMITS: Readonly<Record<Environment, TryLimits>> = {
  development: { card: 0, address: 0 },
  production: { card: 10, address: 30 },
};

export function tryLimitsOf({ settings }: Pick<Merchant, 'settings'>, defaults: TryLimits): TryLimits {
  return {
    card: settings.card_attempt_limit ?? defaults.card,
    address: settings.address_attempt_limit ?? defaults.address,
  };
}
