/**
 * Groups of small test files that share a process: a start of Node and the loading of its modules takes longer than
 * most of their tests. Each file is a suite of its group, so its hooks stay its own.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Larger groups save more, and leave a core idle at the end of the run. */
const FILES_PER_GROUP = 8;

/** Writes one test file per group of neighbours into `folder`, which it creates. Neighbours load the same modules. */
export async function writeGroups(files: readonly string[], root: string, folder: string): Promise<string[]> {
  await mkdir(folder);
  const count = Math.ceil(files.length / FILES_PER_GROUP);
  const groups = Array.from({ length: count }, (_, index) =>
    files.slice(index * FILES_PER_GROUP, (index + 1) * FILES_PER_GROUP),
  );
  return Promise.all(groups.map((group, index) => writeGroup(join(folder, `group-${index + 1}.mjs`), root, group)));
}

async function writeGroup(path: string, root: string, files: readonly string[]): Promise<string> {
  const suites = files.map(
    (file) => `describe('${relative(root, file)}', () => import('${pathToFileURL(file).href}'));\n`,
  );
  await writeFile(path, `import { describe } from 'node:test';\n\n${suites.join('')}`);
  return path;
}
