/**
 * Runs the test files from one queue. Starting Node and first using the gateway's code takes longer than most tests, so a few
 * processes take one file after another until the queue is empty. A process runs only the gateways and databases of its
 * current file.
 */
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const SUITE = pathToFileURL(join(import.meta.dirname, 'file-suite.ts')).href;
const LIST = 'files.json';
type Mark = 'taken' | 'ended';

interface FileQueue {
  /** Takes the next file. Returns undefined if none is left. */
  take(): string | undefined;
  /** Records that a file has ended. */
  end(file: string): void;
  /** Returns the files that were taken and have not ended. */
  running(): readonly string[];
}

/** Creates the queue in `folder`, and one test file per process. Returns these test files. */
export async function writeQueue(files: readonly string[], processes: number, folder: string): Promise<string[]> {
  await mkdir(folder);
  await writeFile(join(folder, LIST), JSON.stringify(files));
  const text = `import { runQueue } from '${SUITE}';\n\nawait runQueue(${JSON.stringify(folder)});\n`;
  const paths = Array.from({ length: Math.min(processes, files.length) }, (_, index) =>
    join(folder, `process-${index + 1}.mjs`),
  );
  await Promise.all(paths.map((path) => writeFile(path, text)));
  return paths;
}

export function openQueue(folder: string): FileQueue {
  const files: readonly string[] = JSON.parse(readFileSync(join(folder, LIST), 'utf8'));
  let next = 0;
  return {
    take() {
      for (; next < files.length; next++) if (mark(folder, next, 'taken')) return files[next];
      return undefined;
    },
    end: (file) => void mark(folder, files.indexOf(file), 'ended'),
    running() {
      const marks = new Set(readdirSync(folder));
      return files.filter((_, index) => marks.has(`${index}.taken`) && !marks.has(`${index}.ended`));
    },
  };
}

/** Returns false if another process has already set this mark: only one can create the file. */
function mark(folder: string, index: number, mark: Mark): boolean {
  try {
    closeSync(openSync(join(folder, `${index}.${mark}`), 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
