/** The number of processes for this machine, from the operator's setting. */
import { availableParallelism } from 'node:os';
import type { ProcessCount } from '../../foundation/process-count.ts';

export function numberOfProcesses(count: ProcessCount): number {
  return count === 'all' ? availableParallelism() : count;
}
