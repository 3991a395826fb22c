/** The folder in memory of a test run. Its name holds the name of the run, so that it can be found when the run ends. */
import { basename, join } from 'node:path';

/** Linux keeps the files here in memory. */
export const MEMORY = '/dev/shm';

export function memoryFolderOf(runFolder: string): string {
  return join(MEMORY, basename(runFolder));
}
