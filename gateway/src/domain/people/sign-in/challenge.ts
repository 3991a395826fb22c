/** Challenges: random bytes that a user must answer once, within minutes. */
import { type Clock, MINUTE_MS } from '../../../foundation/clock.ts';
import { type Random, randomAlphanumeric } from '../../../foundation/random.ts';
import type { Challenge, ChallengePurpose, ChallengeStore } from '../challenge-store.ts';

export interface ChallengeParts {
  readonly challenges: ChallengeStore;
  readonly clock: Clock;
  readonly random: Random;
}

const VALID_MS = 5 * MINUTE_MS;
const ID_LENGTH = 22;
const CHALLENGE_BYTES = 32;

export async function issueChallenge(
  { challenges, clock, random }: ChallengeParts,
  purpose: ChallengePurpose,
  subject: string,
  bytes: Buffer = random.bytes(CHALLENGE_BYTES),
): Promise<Challenge> {
  const expiresAt = clock.now() + VALID_MS;
  const challenge = { challengeId: randomAlphanumeric(random, ID_LENGTH), purpose, subject, bytes, expiresAt };
  await challenges.add(challenge);
  return challenge;
}

/** Resolves to undefined if no such challenge is open for this user and this action. */
export async function consumeChallenge(
  { challenges, clock }: Pick<ChallengeParts, 'challenges' | 'clock'>,
  challengeId: string,
  purpose: ChallengePurpose,
  subject: string,
): Promise<Buffer | undefined> {
  const challenge = await challenges.consume(challengeId);
  if (!challenge || challenge.purpose !== purpose || challenge.subject !== subject) return undefined;
  return clock.now() < challenge.expiresAt ? challenge.bytes : undefined;
}
