/** The current fault probabilities of the network, the banks and the disk. Operations change them. */
export interface Weather {
  /** The message never arrives. */
  lost: number;
  /** The connection is refused. */
  refused: number;
  /** The receiver acts, but its response never arrives. */
  unanswered: number;
  /** The receiver acts, but returns an error. */
  broken: number;
  /** The message arrives some seconds late. */
  slow: number;
  /** The commit loses its connection, before or after it takes effect. */
  commitLost: number;
  /** The longest duration of a statement. */
  statementMs: number;
}

export const CALM: Weather = {
  lost: 0.01,
  refused: 0.01,
  unanswered: 0.01,
  broken: 0.01,
  slow: 0.05,
  commitLost: 0,
  statementMs: 0,
};

export const STORMS: Readonly<Record<string, Partial<Weather>>> = {
  lossy: { lost: 0.15, unanswered: 0.15 },
  refusing: { refused: 0.3 },
  failing: { broken: 0.3 },
  slow: { slow: 0.6 },
  losing_commits: { commitLost: 0.05 },
  slow_disk: { statementMs: 400 },
  everything: { lost: 0.1, unanswered: 0.1, refused: 0.1, broken: 0.1, slow: 0.2, commitLost: 0.02, statementMs: 20 },
  /** Many requests arrive long after their deadline (actors/payout-bank.ts, actors/provider-rail.ts). */
  unanswering: { unanswered: 0.4 },
};
