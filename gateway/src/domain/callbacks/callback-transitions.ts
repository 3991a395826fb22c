/**
 * The complete state machine of a callback, as a table: its next state by state and event. plan-delivery.ts uses it to plan an
 * attempt, and storage to resend. No other code may decide.
 */
import { CALLBACK_STATES, type CallbackState } from './callback.ts';

/**
 * - `wanted`, `unwanted`: the callback is new, and its merchant has enabled or disabled callbacks of its kind.
 * - `accepted`: the merchant acknowledged it. `no_address`: the merchant has no URL for it.
 * - `failed`: an attempt failed, and a retry follows. `exhausted`: the schedule's last attempt failed.
 * - `resent`: the operator resends it. `resent_in_bulk`: the operator resends all undelivered callbacks.
 */
export type CallbackEvent = 'wanted' | 'unwanted' | 'accepted' | 'no_address' | 'failed' | 'exhausted' | Resent;
type Resent = 'resent' | 'resent_in_bulk';

type Row = Readonly<Partial<Record<CallbackEvent, CallbackState>>>;

/** A delivered callback may be resent, because a merchant may have lost it. A callback without a URL is not retried. */
export const CALLBACK_TRANSITIONS = {
  new: { wanted: 'due', unwanted: 'not_wanted' },
  due: { accepted: 'delivered', no_address: 'undelivered', failed: 'due', exhausted: 'undelivered', resent: 'due' },
  delivered: { resent: 'due' },
  undelivered: { resent: 'due', resent_in_bulk: 'due' },
  not_wanted: {},
} as const satisfies Readonly<Record<CallbackState | 'new', Row>>;

export function firstState(isWanted: boolean): CallbackState {
  return CALLBACK_TRANSITIONS.new[isWanted ? 'wanted' : 'unwanted'];
}

/** Returns the states in which the event changes a callback. */
export function statesBefore(event: CallbackEvent): readonly CallbackState[] {
  return CALLBACK_STATES.filter((state) => event in CALLBACK_TRANSITIONS[state]);
}
