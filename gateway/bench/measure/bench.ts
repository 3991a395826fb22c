/** The parameters and the result of a scenario. The result becomes JSON unchanged. */
import type { Latency } from '../load/latency.ts';
import type { LoadResult } from '../load/run-load.ts';
import type { Stage } from '../stage/stage.ts';
import type { MemoryOf } from './gateway-memory.ts';
import type { Point } from './statistics.ts';
import type { UnitCost } from './usage.ts';

export interface BenchOptions {
  /** The duration of each load. */
  readonly seconds: number;
  /** The duration of the sustained loads. */
  readonly minutes: number;
  /** The rate of the sustained loads. If null, the scenario searches for it. */
  readonly rate: number | null;
  /** The table sizes of `growth`, in increasing order. */
  readonly rows: readonly number[];
}

export interface Bench extends BenchOptions {
  readonly stage: Stage;
  /** Called with a line when a measurement begins. */
  readonly onProgress: (line: string) => void;
}

/** One measurement, usually of a load. */
export interface Row {
  readonly what: string;
  /** The number of good results per second. */
  readonly rate: number;
  /** This row's rate divided by the rate of each floor in the same run, by the floor's name. */
  readonly ratios?: Readonly<Record<string, number>>;
  readonly latencyMs?: Latency;
  /** The cost per good result. */
  readonly cost?: UnitCost;
  /** The memory of the gateway processes after the load. */
  readonly memory?: readonly MemoryOf[];
  readonly counts?: Pick<LoadResult, 'sent' | 'shed' | 'bad' | 'dropped' | 'unsent'>;
  readonly notes?: string;
}

/** A curve of a plot. */
export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

export interface Findings {
  readonly rows: readonly Row[];
  /** The curves by the name of the plotted quantity. */
  readonly curves?: Readonly<Record<string, readonly Series[]>>;
  /** Single figures by name. Each name ends with the unit. */
  readonly figures?: Readonly<Record<string, number>>;
}
