/** Finds every line of storage that could send a statement, without running the code. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { STORAGE } from './recorded-statement.ts';

/** Excluded files: the schema, an operator's checks that read everything, and the replication protocol. */
const NO_PART_OF_IT =
  /^(?:core\/(?:(?:nested-)?database|patient-reads|connection\/primary-hosts)|migrations\/|cluster\/|invariants\/|embedded\/|sandbox\/|backup\/(?!proof-store))/;

/** Returns every line of storage that queries the database, with its text, because line numbers change more often. */
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
