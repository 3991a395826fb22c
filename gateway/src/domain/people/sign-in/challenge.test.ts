import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createManualClock } from '../../../foundation/clock.ts';
import type { Challenge } from '../challenge-store.ts';
import { consumeChallenge } from './challenge.ts';

const DEADLINE = 1_000;

it('a challenge is valid until the millisecond before its deadline', async () => {
  const bytes = Buffer.from('challenge');
  const challenge: Challenge = { challengeId: 'C1', purpose: 'sign_in', subject: '', bytes, expiresAt: DEADLINE };
  const challenges = { consume: async () => challenge, add: async () => {}, forget: async () => 0 };
  const takenAt = (now: number) =>
    consumeChallenge({ challenges, clock: createManualClock(now) }, 'C1', challenge.purpose, '');
  assert.deepEqual([await takenAt(DEADLINE - 1), await takenAt(DEADLINE)], [bytes, undefined]);
});
