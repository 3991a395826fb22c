/** The port for the processes that run. */
import type { Instant } from '../../foundation/clock.ts';
import type { RunningProcess } from './running-process.ts';

export interface ProcessStore {
  /** Writes the row of the process, and deletes the rows of processes last seen before `deadBefore`. */
  report(process: RunningProcess, deadBefore: Instant, masterKeyIds: readonly string[] | null): Promise<void>;
  /** Returns the processes seen since `seenSince` that started without that master key and cannot read it from a file. */
  withoutMasterKey(masterKeyId: string, seenSince: Instant): Promise<readonly string[]>;
  end(processId: string): Promise<void>;
  /** Returns the processes seen since then, oldest first. */
  running(seenSince: Instant): Promise<readonly RunningProcess[]>;
}
