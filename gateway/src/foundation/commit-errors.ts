/**
 * Errors for a commit or a response that the gateway cannot obtain. They are not bugs: each protocol maps them to a documented
 * response. They are exceptions, not values, because no code between the store and the protocol can handle them.
 */

/**
 * The gateway lost the database around a commit, so it cannot know whether the request took effect. The API returns 500 with
 * an empty body, never `Error` (decision 19).
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** A queue in front of the database is full, and the gateway attempted nothing. The API returns 429. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

/**
 * A restored gateway cannot know the response before it has queried its banks. The API responds as for OutcomeUnknown, and
 * states when to query again (decision 55).
 */
export class NotKnownYet extends Error {
  override readonly name = 'NotKnownYet';
}
