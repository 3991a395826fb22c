/** The folder in memory of a test run. Its name contains the name of the run, so that the end of the run can find it. */
import { basename, join } from 'node:path';

/** Linux keeps the files here in memory. */
export const MEMORY = '/dev/shm';

export function memoryFolderOf(runFolder: string): string {
  return join(MEMORY, basename(runFolder));
}
