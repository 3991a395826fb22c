/**
 * What is thrown when a commit, or an answer, is not to be had. None is a bug: each edge knows
 * how to say it. They are errors and not values because nothing between the store and the edge can mend them.
 */

/**
 * It can't be known whether the request took effect: the database was lost around a commit. The wire answers it with 500
 * and an empty body, never with `Error` (decisions, Answers).
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** A queue in front of the database is full, and nothing was attempted. Answered with 429. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

/**
 * A restored gateway can't know the answer before it has asked its banks. Answered like OutcomeUnknown, with the time after
 * which to ask again (decision record 55).
 */
export class NotKnownYet extends Error {
  override readonly name = 'NotKnownYet';
}
