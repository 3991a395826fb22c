/** How many processes this machine is to run, as a number. */
import { availableParallelism } from 'node:os';
import type { ProcessCount } from '../../foundation/process-count.ts';

export function numberOfProcesses(count: ProcessCount): number {
  return count === 'all' ? availableParallelism() : count;
}
