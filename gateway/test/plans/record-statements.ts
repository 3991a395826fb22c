/**
 * Records every statement that storage sends while a test runs. Call it before importing the gateway: later imports get the
 * recording database instead of storage's own.
 */
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type RecordedStatement, STORAGE } from './recorded-statement.ts';

const DOOR = pathToFileURL(join(STORAGE, 'core/database.ts')).href;
const RECORDING_DOOR = pathToFileURL(join(import.meta.dirname, 'recording-database.ts')).href;

/** Starts recording. The returned list grows with each statement. */
export async function recordStatements(): Promise<readonly RecordedStatement[]> {
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      const isForOthers = resolved.url === DOOR && context.parentURL !== RECORDING_DOOR;
      return isForOthers ? { ...resolved, url: RECORDING_DOOR } : resolved;
    },
  });
  const { statements } = await import('./recording-database.ts');
  return statements;
}
