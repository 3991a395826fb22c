/**
 * The port for the lineage of the database: the server and the history of its log. It changes with a restore, and with a
 * failover. A gateway on an unknown lineage does not send anything before a worker or the operator has confirmed it.
 */
import type { Instant } from '../../foundation/clock.ts';

export interface Lineage {
  /** Null if this PostgreSQL does not report it. */
  readonly current: string | null;
  /** False if neither a worker nor the operator has confirmed it. */
  readonly isKnown: boolean;
  /** No lineage was ever recorded: nothing can have been sent before. */
  readonly isFirst: boolean;
}

interface LineageConfirmation {
  readonly lineage: string;
  readonly at: Instant;
  /** A worker, or the operator's name. */
  readonly by: string;
  readonly reason: string;
}

export interface LineageStore {
  read(): Promise<Lineage>;
  confirm(confirmation: LineageConfirmation): Promise<void>;
}
