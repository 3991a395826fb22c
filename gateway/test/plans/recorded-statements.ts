/**
 * Every statement that storage sends while a test runs, and every line of storage that could send one. It must be called
 * before anything of the gateway is imported: what is imported after it finds the recording database in the place of its own.
 */
import { globSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type RecordedStatement, STORAGE } from './recorded-statement.ts';

const DOOR = pathToFileURL(join(STORAGE, 'database.ts')).href;
const RECORDING_DOOR = pathToFileURL(join(import.meta.dirname, 'recording-database.ts')).href;

/** What is heard from now on. */
export async function recordStatements(): Promise<readonly RecordedStatement[]> {
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      const isForOthers = resolved.url === DOOR && context.parentURL !== RECORDING_DOOR;
      return isForOthers ? { ...resolved, url: RECORDING_DOOR } : resolved;
    },
  });
  const { heard } = await import('./recording-database.ts');
  return heard;
}

/** What speaks of the schema alone, or for an operator whose check reads everything by its nature. */
const NO_PART_OF_IT = /^(?:database|migrat|schema-state|distribut|verify-|embedded\/)/;

/** Every line of storage that asks the database for something, with what it says: lines move, words stay. */
export function sitesInStorage(): ReadonlyMap<string, string> {
  const names = globSync('**/*.ts', { cwd: STORAGE }).filter(
    (name) => !name.endsWith('.test.ts') && !NO_PART_OF_IT.test(name),
  );
  const sites = names.flatMap((name) =>
    readFileSync(join(STORAGE, name), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        /\.(?:query|prepared)[<(]/.test(line) ? [[`${name}:${index + 1}`, `${name}: ${line.trim()}`] as const] : [],
      ),
  );
  return new Map(sites);
}
