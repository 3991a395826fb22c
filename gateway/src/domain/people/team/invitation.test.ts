import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Invitation } from '../invitation-store.ts';
import { isOpen } from './invitation.ts';

const DEADLINE = 1_000;

it('an invitation is open until the millisecond before its deadline', () => {
  const invitation = { acceptedAt: null, revokedAt: null, expiresAt: DEADLINE } as Invitation;
  assert.deepEqual([isOpen(invitation, DEADLINE - 1), isOpen(invitation, DEADLINE)], [true, false]);
});
