/** The figures of a run. */
export interface Progress {
  /** Accepted payouts, deposits with an address, and payments on the form. */
  readonly payments: number;
  /** The payments on the hosted form among them. */
  readonly formPayments: number;
  readonly refunds: number;
  readonly chargebacks: number;
  readonly days: number;
}

export interface RunResult extends Progress {
  readonly seed: string;
  /** Empty if everything held. */
  readonly violations: readonly string[];
  readonly turns: number;
  readonly jumps: number;
  readonly waits: number;
  readonly wallMs: number;
  readonly trace: string;
}
