/** The instructions for a load. They cross a process boundary, so they are plain data. */

export type SubjectName = 'payout' | 'deposit' | 'abono' | 'callback';

export interface LoadOrder {
  readonly subject: SubjectName;
  readonly url: string;
  readonly connections: number;
  readonly durationMs: number;
  /** Requests a second. If undefined, the load is a closed loop. */
  readonly rate?: number;
  /** The number of this load's first request. A run never uses a number twice. */
  readonly firstIndex: number;
  /** The number of merchants. The requests go to each in turn. */
  readonly merchants: number;
  /** Requests built before the load begins. The others are built while it runs. */
  readonly prepare: number;
  /** For abonos: the CLABE that each one pays. The load ends after the last rate. */
  readonly clabes?: readonly string[];
  /** If true, the load also returns, for each good response, when its request was due and when the response came. */
  readonly wantsTimes?: boolean;
}

/** One entry per good response, in the order of arrival, by `monotonicMs`. */
export interface Times {
  /** The request's number. */
  readonly index: Float64Array;
  readonly dueAt: Float64Array;
  readonly answeredAt: Float64Array;
}
