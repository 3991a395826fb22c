/** A statement that must always be true, with a query for the rows that break it. */
export interface Invariant {
  readonly name: string;
  readonly meaning: string;
  /** Selects the offending rows. It may name each table by its bare name alone: a part can then take a table's place. */
  readonly sql: string;
  /** It speaks of each row of this table by itself, so it can be asked of any part of them. */
  readonly walks?: 'payouts' | 'deposits';
  /** Instead of `sql` for a part of the rows, where that would read everything for each part. */
  readonly piecewise?: string;
}
