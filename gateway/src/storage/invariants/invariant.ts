/** A condition that must always hold, with a query for the rows that violate it. */
export interface Invariant {
  readonly name: string;
  readonly meaning: string;
  /** Selects the rows that violate the condition. It uses unqualified table names, so that a part can replace a table. */
  readonly sql: string;
  /** The condition concerns each row of this table separately, so any part of the rows can be checked. */
  readonly walks?: 'payouts' | 'deposits';
  /** Replaces `sql` for a part of the rows, if `sql` would read everything for each part. */
  readonly piecewise?: string;
}
