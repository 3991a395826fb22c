/**
 * What a store throws when a commit is not to be had, whatever was to be committed. Neither is a bug: each edge knows
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
