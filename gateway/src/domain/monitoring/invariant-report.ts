/** The result of checking one invariant. One shape serves every check and display. */
export interface InvariantReport {
  readonly name: string;
  readonly meaning: string;
  readonly holds: boolean;
  /** The first rows that violate it, at most ten. */
  readonly offending: readonly Readonly<Record<string, unknown>>[];
}
