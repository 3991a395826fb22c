/**
 * Replaces storage's `database.ts` while statements are recorded (record-statements.ts). It has the same exports, which also
 * record each statement and the line of storage that sent it.
 */
import { basename } from 'node:path';
import type pg from 'pg';
import { onOneServer } from '../../src/storage/core/cluster-text.ts';
import type { Database, DatabaseOptions, Queryable } from '../../src/storage/core/database.ts';
import * as door from '../../src/storage/core/database.ts';
import { type RecordedStatement, STORAGE } from './recorded-statement.ts';

/** The remaining export of the module that is not a type. */
export const { STATEMENT_LIMIT_MS } = door;

export const statements: RecordedStatement[] = [];

export function openDatabase(config: pg.ClientConfig, options: DatabaseOptions): Database {
  const database = door.openDatabase(config, options);
  return {
    ...database,
    ...recorded(database),
    transaction: (work) => database.transaction((transaction) => work(recorded(transaction))),
    longTransaction: (work) => database.longTransaction((transaction) => work(recorded(transaction))),
    snapshot: (work) => database.snapshot((transaction) => work(recorded(transaction))),
    async connect() {
      const { connection, release } = await database.connect();
      return { connection: recorded(connection), release };
    },
  };
}

function recorded(queryable: Queryable): Queryable {
  const note = (text: string, values: readonly unknown[], isPrepared: boolean) => {
    const site = siteInStorage();
    if (site !== undefined) statements.push({ text: onOneServer(text), forCluster: text, values, isPrepared, site });
  };
  return {
    query(text, values = []) {
      note(text, values, false);
      return queryable.query(text, values);
    },
    prepared(name, text, values) {
      note(text, values, true);
      return queryable.prepared(name, text, values);
    },
  };
}

const FRAME = /\(?(?:file:\/\/)?([^()\s]+\.ts):(\d+):\d+\)?$/;

/** Returns the nearest stack frame in storage, except in files that only forward statements. */
function siteInStorage(): string | undefined {
  const { stack = '' } = new Error('where');
  for (const line of stack.split('\n').slice(1)) {
    const [, file = '', number] = FRAME.exec(line) ?? [];
    const name = basename(file);
    if (
      file.startsWith(STORAGE) &&
      !/^(?:(?:nested-)?database|patient-reads)\.ts$/.test(name) &&
      !name.endsWith('.test.ts')
    )
      return `${name}:${number}`;
  }
  return undefined;
}
