/** The port for pauses. */
import type { Instant } from '../../foundation/clock.ts';

export const PAUSE_SCOPES = ['merchant', 'method', 'purpose', 'rail'] as const;

export type PauseScope = (typeof PAUSE_SCOPES)[number];

export interface Pause {
  readonly scope: PauseScope;
  /** A merchant id, a method's number, a purpose or a rail's name. */
  readonly target: string;
  readonly since: Instant;
  readonly reason: string;
}

export interface PauseStore {
  list(): Promise<readonly Pause[]>;
  /** Returns false if it was already paused. The first pause then stays unchanged. */
  pause(pause: Pause): Promise<boolean>;
  /** Lifts the pause and makes waiting payouts due at `dueAt`. Returns how many, or undefined if there was no pause. */
  resume(scope: PauseScope, target: string, dueAt: Instant): Promise<number | undefined>;
}
