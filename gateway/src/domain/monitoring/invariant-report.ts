/** The result of checking one invariant. All checks and displays share this type. */
export interface InvariantReport {
  readonly name: string;
  readonly meaning: string;
  readonly holds: boolean;
  /** The first rows that violate it, at most ten. */
  readonly offending: readonly Readonly<Record<string, unknown>>[];
}
