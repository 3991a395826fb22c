/** Deadlines as rails are given them, over the machine's own time. */
import type { Deadline } from '../../src/foundation/deadline.ts';

const until = (signal: AbortSignal): Deadline => ({ signal, isPast: () => signal.aborted });

export const noDeadline = (): Deadline => until(new AbortController().signal);
export const deadlineAfter = (ms: number): Deadline => until(AbortSignal.timeout(ms));
