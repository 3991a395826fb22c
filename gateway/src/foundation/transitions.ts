/**
 * A state machine as data: from each state, which event leads where. A missing edge is an answer, not an accident:
 * the caller decides what an event means that comes when nothing leaves the state any more.
 */
export type TransitionTable<State extends string, Event extends string> = {
  readonly [S in State]: { readonly [E in Event]?: State };
};

export interface Transitions<State extends string, Event extends string> {
  readonly table: TransitionTable<State, Event>;
  /** The state after `event`, or undefined where the table has no such edge. */
  next(state: State, event: Event): State | undefined;
  /** True when no edge leaves `state`. */
  isFinal(state: State): boolean;
}

export function defineTransitions<State extends string, Event extends string>(
  table: TransitionTable<State, Event>,
): Transitions<State, Event> {
  return {
    table,
    next: (state, event) => table[state][event],
    isFinal: (state) => Object.keys(table[state]).length === 0,
  };
}
