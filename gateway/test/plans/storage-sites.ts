/** Every line of storage that could send a statement, told without running it. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { STORAGE } from './recorded-statement.ts';

/** What speaks of the schema alone, or for an operator whose check reads everything by its nature. */
const NO_PART_OF_IT = /^(?:core\/database|migrations\/|cluster\/|invariants\/|embedded\/)/;

/** Every line of storage that asks the database for something, with what it says: lines move, words stay. */
export function sitesInStorage(): ReadonlyMap<string, string> {
  const names = globSync('**/*.ts', { cwd: STORAGE }).filter(
    (name) => !name.endsWith('.test.ts') && !NO_PART_OF_IT.test(name),
  );
  const sites = names.flatMap((name) =>
    readFileSync(join(STORAGE, name), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        /\.(?:query|prepared)[<(]/.test(line)
          ? [[`${basename(name)}:${index + 1}`, `${basename(name)}: ${line.trim()}`] as const]
          : [],
      ),
  );
  return new Map(sites);
}
