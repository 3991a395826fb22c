/** The port for challenges. */
import type { Instant } from '../../foundation/clock.ts';

export type ChallengePurpose = 'sign_in' | 'register' | 'sign' | 'password' | 'openid';

export interface Challenge {
  readonly challengeId: string;
  readonly purpose: ChallengePurpose;
  /** The session, user or link that may answer. If empty, anyone may. */
  readonly subject: string;
  readonly bytes: Buffer;
  readonly expiresAt: Instant;
}

export interface ChallengeStore {
  add(challenge: Challenge): Promise<void>;
  /** Deletes the challenge and returns it. Only one of two simultaneous responses gets it. */
  consume(challengeId: string): Promise<Challenge | undefined>;
  /** Deletes at most `limit` challenges that expired before `expiredBefore`. Returns how many. */
  forget(expiredBefore: Instant, limit: number): Promise<number>;
}
