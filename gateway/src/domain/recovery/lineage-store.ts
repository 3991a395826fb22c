/**
 * The port for the lineage of the database: the server and its WAL history. It changes with a restore and with a failover. A
 * gateway on an unknown lineage sends nothing until a worker or the operator has confirmed it.
 */
import type { Instant } from '../../foundation/clock.ts';

export interface Lineage {
  /** Null if this PostgreSQL does not report it. */
  readonly current: string | null;
  /** False if neither a worker nor the operator has confirmed it. */
  readonly isKnown: boolean;
  /** True if no lineage was ever recorded, so nothing can have been sent before. */
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
