/** The figures of a run. */
export interface Progress {
  /** The number of accepted payouts, deposits with an address, and form payments. */
  readonly payments: number;
  /** The form payments among `payments`. */
  readonly formPayments: number;
  readonly refunds: number;
  readonly chargebacks: number;
  readonly days: number;
}

export interface RunResult extends Progress {
  readonly seed: string;
  /** Empty if every check passed. */
  readonly violations: readonly string[];
  readonly turns: number;
  readonly jumps: number;
  readonly waits: number;
  readonly wallMs: number;
  readonly trace: string;
}
