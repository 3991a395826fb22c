/** What a scenario is given to measure with, and what it gives back. It crosses into a JSON document as it is. */
import type { Latency } from '../load/latency.ts';
import type { LoadResult } from '../load/run-load.ts';
import type { Stage } from '../stage/stage.ts';
import type { MemoryOf } from './gateway-memory.ts';
import type { Point } from './statistics.ts';
import type { UnitCost } from './usage.ts';

export interface BenchOptions {
  /** How long each load lasts. */
  readonly seconds: number;
  /** How long the sustained loads last. */
  readonly minutes: number;
  /** The rate of the sustained loads; null: one is looked for. */
  readonly rate: number | null;
  /** The table sizes of `growth`, rising. */
  readonly rows: readonly number[];
}

export interface Bench extends BenchOptions {
  readonly stage: Stage;
  /** Told of what is measured now. */
  readonly onProgress: (line: string) => void;
}

/** One measured load, or the like. */
export interface Row {
  readonly what: string;
  /** A second, of those that counted. */
  readonly rate: number;
  /** This row's rate over each floor's of the same run, by the floor's name. */
  readonly ratios?: Readonly<Record<string, number>>;
  readonly latencyMs?: Latency;
  /** What each of those that counted has cost. */
  readonly cost?: UnitCost;
  /** Of the gateway's processes, when the load had ended. */
  readonly memory?: readonly MemoryOf[];
  readonly counts?: Pick<LoadResult, 'sent' | 'shed' | 'bad' | 'dropped' | 'unsent'>;
  readonly notes?: string;
}

/** A curve. */
export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

export interface Findings {
  readonly rows: readonly Row[];
  /** By the name of the quantity that is drawn. */
  readonly curves?: Readonly<Record<string, readonly Series[]>>;
  /** Single figures, with their unit in the name. */
  readonly figures?: Readonly<Record<string, number>>;
}
