/** The common parameters of loads, so that scenarios are comparable. */
import type { Bench } from '../measure/bench.ts';

export const CONNECTIONS = 64;
/** Long enough for the compiler to optimise the hot code. The first seconds of a process are not representative. */
export const WARM_UP_SECONDS = 8;
/** A load holds when at least this part of the offered requests is answered in time. */
export const KEEPS_UP = 0.98;

/** Seconds for one side that alternates with others. */
export const halfOf = ({ seconds }: Bench) => Math.max(2, Math.ceil(seconds / 2));
