/**
 * The test files of a run in one queue. A start of Node and the first use of the gateway's code take longer than most
 * tests, so a few processes take file after file until the queue is empty. A process has only the gateways and
 * databases of its current file.
 */
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const SUITE = pathToFileURL(join(import.meta.dirname, 'file-suite.ts')).href;
const LIST = 'files.json';
type Mark = 'taken' | 'ended';

interface FileQueue {
  /** Takes the next file. Returns undefined if another process has taken the last file. */
  take(): string | undefined;
  /** Records that a taken file has ended. */
  end(file: string): void;
  /** The files that were taken and have not ended. */
  running(): readonly string[];
}

/** Writes the queue into `folder`, which it creates, and one test file per process. Returns the test files. */
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

/** False when a process has set this mark before: only one can create a file. */
function mark(folder: string, index: number, mark: Mark): boolean {
  try {
    closeSync(openSync(join(folder, `${index}.${mark}`), 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
