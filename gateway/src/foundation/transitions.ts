/**
 * A state machine as data: the transitions from each state, by event. A missing transition is deliberate: the caller
 * decides how to handle an event that comes after a final state.
 */
type TransitionTable<State extends string, Event extends string> = {
  readonly [S in State]: { readonly [E in Event]?: State };
};

interface Transitions<State extends string, Event extends string> {
  readonly table: TransitionTable<State, Event>;
  /** The state after `event`, or undefined if the table has no such transition. */
  next(state: State, event: Event): State | undefined;
}

export function defineTransitions<State extends string, Event extends string>(
  table: TransitionTable<State, Event>,
): Transitions<State, Event> {
  return {
    table,
    next: (state, event) => table[state][event],
  };
}
