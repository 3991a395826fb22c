/**
 * Groups of test files that share a process: a start of Node and the loading of the gateway's modules takes longer than
 * most of their tests. Each file is a suite of its group, so its hooks stay its own. A group loads a file once the
 * files before it have ended, so only one of them has its gateways and databases at any time.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

const SUITE = pathToFileURL(join(import.meta.dirname, 'file-suite.ts')).href;
/** Larger groups save more, and leave a core idle at the end of the run. */
const SIZE = { neighbours: 16, spread: 4 };

/**
 * Writes one test file per group into `folder`, which it creates. `neighbours` load the same modules. `spread` groups
 * hold files of different folders, because the files of one folder take equally long.
 */
export async function writeGroups(
  files: readonly string[],
  members: keyof typeof SIZE,
  root: string,
  folder: string,
): Promise<string[]> {
  await mkdir(folder);
  const size = SIZE[members];
  const count = Math.ceil(files.length / size);
  const groupOf = (index: number) => (members === 'spread' ? index % count : Math.floor(index / size));
  const groups = Array.from({ length: count }, (_, group) => files.filter((_file, index) => groupOf(index) === group));
  return Promise.all(
    groups.map((group, index) => writeGroup(join(folder, `${members}-${index + 1}.mjs`), root, group)),
  );
}

/** The paths of the test files that a group loads. None in the text of another file. */
export function filesOfGroup(text: string): string[] {
  return Array.from(text.matchAll(/^await runFileAsSuite\('([^']+)'/gm), ([, file]) => file ?? '');
}

async function writeGroup(path: string, root: string, files: readonly string[]): Promise<string> {
  const suites = files.map(
    (file) => `await runFileAsSuite('${relative(root, file)}', () => import('${pathToFileURL(file).href}'));\n`,
  );
  const imported = `import { endOpenProcess, runFileAsSuite } from '${SUITE}';\n\n`;
  await writeFile(path, `${imported}${suites.join('')}endOpenProcess();\n`);
  return path;
}
