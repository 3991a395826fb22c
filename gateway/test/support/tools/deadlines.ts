/** Deadlines as rails receive them, on the machine's clock. */
import { type Deadline, untilAborted } from '../../../src/foundation/deadline.ts';

export const noDeadline = (): Deadline => untilAborted(new AbortController().signal);
export const deadlineAfter = (ms: number): Deadline => untilAborted(AbortSignal.timeout(ms));
