/**
 * Pauses: what an operator has stopped from being sent. Payouts are still accepted and wait, and they say so. A pause
 * holds back only what no bank was told; whatever a bank may already have is asked about all the same.
 */
import { type Clock, type Instant, SECOND_MS } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';

export const PAUSE_SCOPES = ['merchant', 'method', 'rail'] as const;
export type PauseScope = (typeof PAUSE_SCOPES)[number];

export interface Pause {
  readonly scope: PauseScope;
  /** A merchant id, a method's number or a rail's name. */
  readonly target: string;
  readonly since: Instant;
  readonly reason: string;
}

export interface PauseStore {
  list(): Promise<readonly Pause[]>;
  /** False when it was paused already; then the first pause stays as it is. */
  pause(pause: Pause): Promise<boolean>;
  /** Lifts the pause and makes what waited due at `dueAt`. Undefined when nothing was paused; else how many payouts waited. */
  resume(scope: PauseScope, target: string, dueAt: Instant): Promise<number | undefined>;
}

/** How old a worker's view of the pauses may be. */
const PAUSES_FRESH_MS = 1 * SECOND_MS;

/**
 * After so long every worker knows that a pause was lifted: what it held back becomes due then, so that nobody with the
 * old view takes the payout and puts it off again.
 */
export const PAUSES_KNOWN_AFTER_MS = 2 * PAUSES_FRESH_MS;

/** What is paused, by scope: merchant ids, methods' numbers, rails' names. */
export type PausedTargets = Readonly<Record<PauseScope, readonly string[]>>;

export interface PauseView {
  /** The pause that holds back such a payout, or undefined. Of several, the merchant's comes first. */
  find(merchantId: MerchantId, method: number, rail: string): Pause | undefined;
  targets(): PausedTargets;
}

export function createPauseView(pauses: readonly Pause[]): PauseView {
  const byTarget = new Map(pauses.map((pause) => [`${pause.scope}:${pause.target}`, pause]));
  const targetsOf = (wanted: PauseScope) => pauses.filter(({ scope }) => scope === wanted).map(({ target }) => target);
  const targets = { merchant: targetsOf('merchant'), method: targetsOf('method'), rail: targetsOf('rail') };
  return {
    targets: () => targets,
    find: (merchantId, method, rail) =>
      byTarget.get(`merchant:${merchantId}`) ?? byTarget.get(`method:${method}`) ?? byTarget.get(`rail:${rail}`),
  };
}

export interface WatchedPauses extends PauseView {
  stop(): Promise<void>;
}

/** A view that is read again each second. Resolves when it was read for the first time. */
export async function watchPauses(
  store: PauseStore,
  clock: Clock,
  onProblem: (problem: string, error: unknown) => void,
): Promise<WatchedPauses> {
  const stopping = new AbortController();
  let view = createPauseView(await store.list());
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      await clock.sleep(PAUSES_FRESH_MS, stopping.signal);
      if (stopping.signal.aborted) return;
      try {
        view = createPauseView(await store.list());
      } catch (error) {
        onProblem('the pauses could not be read; those known so far stay in force', error);
      }
    }
  })();
  return {
    find: (merchantId, method, rail) => view.find(merchantId, method, rail),
    targets: () => view.targets(),
    stop: () => {
      stopping.abort();
      return watching;
    },
  };
}

/** Workers notice within a second. False when it was paused already. */
export function pausePayouts(
  store: PauseStore,
  clock: Clock,
  scope: PauseScope,
  target: string,
  reason: string,
): Promise<boolean> {
  return store.pause({ scope, target, since: clock.now(), reason });
}

/** Undefined when nothing was paused; else how many payouts go on. */
export function resumePayouts(
  store: PauseStore,
  clock: Clock,
  scope: PauseScope,
  target: string,
): Promise<number | undefined> {
  return store.resume(scope, target, clock.now() + PAUSES_KNOWN_AFTER_MS);
}
