/** Deadlines as rails receive them, over the machine's own time. */
import { type Deadline, untilAborted } from '../../../src/foundation/deadline.ts';

export const noDeadline = (): Deadline => untilAborted(new AbortController().signal);
export const deadlineAfter = (ms: number): Deadline => untilAborted(AbortSignal.timeout(ms));
