/** A callback for tests: due since its creation, of merchant M1, never sent. */
import type { Callback } from '../../../src/domain/callbacks/callback.ts';

export function dueCallback(change: Pick<Callback, 'callbackId' | 'createdAt'> & Partial<Callback>): Callback {
  return {
    merchantId: 'M1',
    subject: 'payout',
    subjectId: change.callbackId,
    payload: {},
    state: 'due',
    attempts: 0,
    scheduleStart: 0,
    firstAttemptAt: null,
    dueAt: change.createdAt,
    finishedAt: null,
    ...change,
  };
}
