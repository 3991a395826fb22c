/**
 * Pauses that an operator sets. The gateway still accepts payouts, which wait and show the pause. A pause stops only
 * unsent payouts: workers still query those that a bank may have.
 */
import { type Clock, SECOND_MS } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { PayoutPurpose } from '../methods/payout-purpose.ts';
import type { Pause, PauseScope, PauseStore } from './pause-store.ts';

/** How stale a worker's copy of the pauses may be. */
export const PAUSES_FRESH_MS = 1 * SECOND_MS;

/**
 * After this time, every worker knows that a pause was lifted. The waiting payouts become due then, so that no worker
 * with a stale copy postpones them again.
 */
export const PAUSES_KNOWN_AFTER_MS = 2 * PAUSES_FRESH_MS;

/** Paused targets by scope: merchant ids, methods' numbers, purposes, rails' names. */
export type PausedTargets = Readonly<Record<PauseScope, readonly string[]>>;

/** The parts of a payout that a pause can name. */
interface PausablePayout {
  readonly merchantId: MerchantId;
  readonly purpose: PayoutPurpose;
  readonly method: number | null;
  readonly rail: string;
}

export interface PauseView {
  /** Returns the pause that stops such a payout, or undefined. The merchant's pause takes precedence. */
  find(payout: PausablePayout): Pause | undefined;
  targets(): PausedTargets;
}

export function createPauseView(pauses: readonly Pause[]): PauseView {
  const byTarget = new Map(pauses.map((pause) => [`${pause.scope}:${pause.target}`, pause]));
  const targetsOf = (wanted: PauseScope) => pauses.filter(({ scope }) => scope === wanted).map(({ target }) => target);
  const targets = {
    merchant: targetsOf('merchant'),
    method: targetsOf('method'),
    purpose: targetsOf('purpose'),
    rail: targetsOf('rail'),
  };
  return {
    targets: () => targets,
    find: ({ merchantId, method, purpose, rail }) =>
      byTarget.get(`merchant:${merchantId}`) ??
      byTarget.get(`method:${method}`) ??
      byTarget.get(`purpose:${purpose}`) ??
      byTarget.get(`rail:${rail}`),
  };
}

/** Workers apply the pause within a second. Returns false if it was already paused. */
export function pausePayouts(
  { pauses, clock }: { readonly pauses: PauseStore; readonly clock: Clock },
  scope: PauseScope,
  target: string,
  reason: string,
): Promise<boolean> {
  return pauses.pause({ scope, target, since: clock.now(), reason });
}

/** Returns the number of payouts that continue, or undefined if there was no pause. */
export function resumePayouts(
  { pauses, clock }: { readonly pauses: PauseStore; readonly clock: Clock },
  scope: PauseScope,
  target: string,
): Promise<number | undefined> {
  return pauses.resume(scope, target, clock.now() + PAUSES_KNOWN_AFTER_MS);
}
