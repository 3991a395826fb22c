/** The transitions of a batch and of its rows. */
import { type BatchState, ROW_STATES, type RowState } from './batch.ts';

export type BatchEvent = 'checked' | 'submitted' | 'progressed' | 'cancelled' | 'finished';

/** A cancellation after the submission ends the remaining rows. The accepted rows and their batch continue. */
export const BATCH_TRANSITIONS: Readonly<Record<BatchState, Readonly<Partial<Record<BatchEvent, BatchState>>>>> = {
  checking: { checked: 'ready', cancelled: 'cancelled' },
  ready: { submitted: 'submitted', cancelled: 'cancelled' },
  submitted: { progressed: 'submitted', cancelled: 'submitted', finished: 'finished' },
  finished: {},
  cancelled: {},
};

/** `destroyed`: its content was destroyed after 30 days without being accepted. */
type RowEvent = 'passed' | 'failed' | 'claimed' | 'accepted' | 'rejected' | 'destroyed' | 'cancelled';

/** A row that a worker has claimed may already be a payout, so a cancellation does not affect it. */
export const ROW_TRANSITIONS: Readonly<Record<RowState, Readonly<Partial<Record<RowEvent, RowState>>>>> = {
  unchecked: { passed: 'ready', failed: 'faulty', cancelled: 'cancelled' },
  ready: { claimed: 'accepting', destroyed: 'rejected', cancelled: 'cancelled' },
  faulty: { cancelled: 'cancelled' },
  accepting: { accepted: 'accepted', rejected: 'rejected', destroyed: 'rejected' },
  accepted: {},
  rejected: {},
  cancelled: {},
};

/** Returns the states in which the event changes a row. */
export function rowsBefore(event: RowEvent): readonly RowState[] {
  return ROW_STATES.filter((state) => ROW_TRANSITIONS[state][event] !== undefined);
}
