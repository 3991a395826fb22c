/** How badly the network, the banks and the disk behave at the moment: probabilities that operations change. */
export interface Weather {
  /** A message never arrives. */
  lost: number;
  /** The other side refuses the connection. */
  refused: number;
  /** The other side acts, and its response never arrives. */
  unanswered: number;
  /** The other side acts but returns an error. */
  broken: number;
  /** A message arrives seconds later than normal. */
  slow: number;
  /** A commit loses its connection, before or after it took effect. */
  commitLost: number;
  /** The longest time of a statement. */
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
