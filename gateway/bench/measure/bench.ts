/** The parameters and the result of a scenario. The result becomes JSON unchanged. */
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
  /** The rate of the sustained loads. If null, the scenario searches for one. */
  readonly rate: number | null;
  /** The table sizes of `growth`, rising. */
  readonly rows: readonly number[];
}

export interface Bench extends BenchOptions {
  readonly stage: Stage;
  /** Called with a line for each measurement that begins. */
  readonly onProgress: (line: string) => void;
}

/** One measured load or a similar measurement. */
export interface Row {
  readonly what: string;
  /** Good results a second. */
  readonly rate: number;
  /** This row's rate divided by each floor's rate of the same run, by the floor's name. */
  readonly ratios?: Readonly<Record<string, number>>;
  readonly latencyMs?: Latency;
  /** The cost of each good result. */
  readonly cost?: UnitCost;
  /** The memory of the gateway's processes after the load. */
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
  /** By the name of the plotted quantity. */
  readonly curves?: Readonly<Record<string, readonly Series[]>>;
  /** Single figures, with their unit in the name. */
  readonly figures?: Readonly<Record<string, number>>;
}
