/** How loads are usually made, so that scenarios can be held against each other. */
import type { Bench } from '../measure/bench.ts';

export const CONNECTIONS = 64;
/** Until the compiler has seen what is hot: a process in its first seconds is not what anybody runs. */
export const WARM_UP_SECONDS = 8;
/** A load is carried where this part of what was offered is answered in its time. */
export const KEEPS_UP = 0.98;

/** Seconds, for a side that takes turns with others. */
export const halfOf = ({ seconds }: Bench) => Math.max(2, Math.ceil(seconds / 2));
