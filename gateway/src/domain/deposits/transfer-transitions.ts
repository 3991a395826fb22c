/**
 * The complete state machine of an incoming transfer as tables: its next state by state and event, and the state that its row
 * stores. The view `transfers_in` derives the other states. No other code may decide.
 */
import type { TransferState } from './deposit.ts';

/**
 * - `credited`, `held`, `sent_back`: it arrives, and is credited, held or rejected. The operator may also credit it.
 * - `moved`: the operator credits it to another merchant. `displaced`: its deposit loses the order.
 * - `return_ordered`: the operator orders its return, a payout. `return_executed`, `return_declined`, `return_reversed`:
 * a report about its latest return, unless the return was overtaken (`is_return_overtaken`).
 * - `taken`: its provider reversed all of it. `restored`: a part of that was undone.
 */
export type TransferEvent =
  | 'credited'
  | 'held'
  | 'sent_back'
  | 'moved'
  | 'displaced'
  | ReturnEvent
  | 'taken'
  | 'restored';
type ReturnEvent = 'return_ordered' | 'return_executed' | 'return_declined' | 'return_reversed';

type Row = Readonly<Partial<Record<TransferEvent, TransferState>>>;

/** A bank may execute a return that it declined, so held money may become returned. Credited money stays the merchant's. */
export const TRANSFER_TRANSITIONS: Readonly<Record<TransferState | 'new', Row>> = {
  new: { credited: 'credited', held: 'held', sent_back: 'sent_back' },
  credited: { displaced: 'held' },
  held: {
    credited: 'credited',
    moved: 'given_up',
    return_ordered: 'returning',
    return_executed: 'returned',
    taken: 'taken_back',
  },
  returning: { return_executed: 'returned', return_declined: 'held', return_reversed: 'held' },
  returned: { return_reversed: 'held' },
  given_up: {},
  sent_back: {},
  taken_back: { restored: 'held' },
};

const ROW_KEEPS_HELD: readonly TransferState[] = ['returning', 'returned', 'taken_back'];

/** Returns the state stored in its row. Money that a return or its provider took from suspense is stored as held. */
export function rowStateOf(state: TransferState): TransferState {
  return ROW_KEEPS_HELD.includes(state) ? 'held' : state;
}
