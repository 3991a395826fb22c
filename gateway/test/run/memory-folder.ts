/** The in-memory folder of a test run. Its name contains the run's name, so that the cleanup can find it. */
import { basename, join } from 'node:path';

/** A tmpfs on Linux. */
export const MEMORY = '/dev/shm';

export function memoryFolderOf(runFolder: string): string {
  return join(MEMORY, basename(runFolder));
}
