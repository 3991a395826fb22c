/** One of the rules that must always hold, as it was found: one shape for whoever looks, or is shown. */
export interface InvariantReport {
  readonly name: string;
  readonly meaning: string;
  readonly holds: boolean;
  /** The first rows that break it, at most ten. */
  readonly offending: readonly Readonly<Record<string, unknown>>[];
}
