/** Common load parameters, so that scenarios are comparable. */
import type { Bench } from '../measure/bench.ts';

export const CONNECTIONS = 64;
/**
 * A time that is long enough for the compiler to optimise the hot code. The first seconds of a process are not representative.
 */
export const WARM_UP_SECONDS = 8;
/** A rate is sustained if at least this fraction of the offered requests is answered in time. */
export const KEEPS_UP = 0.98;

/** Seconds for one of two sides that alternate. */
export const halfOf = ({ seconds }: Bench) => Math.max(2, Math.ceil(seconds / 2));
