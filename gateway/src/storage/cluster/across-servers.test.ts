import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Database } from '../core/database.ts';
import { createAcrossServers, writeGroups } from './across-servers.ts';

/** As Citus reports it. */
const SERVER_LOST = Object.assign(new Error('connection to the remote node failed'), {
  code: '08006',
  severity: 'ERROR',
});

/** Rows that begin with `lost` fail. Returns the rows of each successful write. */
async function writesUntil(failure: Error, rows: readonly string[]) {
  const written: (readonly string[])[] = [];
  const write = async (some: readonly string[]) => {
    if (some.some((row) => row.startsWith('lost'))) throw failure;
    written.push(some);
  };
  const outcome = await writeGroups(rows, (row) => row.slice(0, -1), write).then(
    () => null,
    (error: Error) => error,
  );
  return { written, outcome };
}

it('rows of a lost server fail, and the rows of the other servers are written', async () => {
  const { written, outcome } = await writesUntil(SERVER_LOST, ['one1', 'lost1', 'one2', 'other1']);
  assert.deepEqual(written, [['one1', 'one2'], ['other1']]);
  assert.equal(outcome, SERVER_LOST);
});

it('rows are written together while no server is lost', async () => {
  assert.deepEqual(await writesUntil(SERVER_LOST, ['one1', 'other1']), {
    written: [['one1', 'other1']],
    outcome: null,
  });
});

it('rows are not written again after a failure that is no loss of a server', async () => {
  const failure = new Error('a bug');
  assert.deepEqual(await writesUntil(failure, ['one1', 'lost1']), { written: [], outcome: failure });
});

it('work across servers that meets a loss at the same time looks for the reachable servers once', async () => {
  const asked: string[] = [];
  const query = async (text: string) => {
    asked.push(text);
    if (text.includes('to_regclass')) return [{ is: true }];
    return [
      { success: true, result: '["M1"]' },
      { success: false, result: '' },
    ];
  };
  const database = { query } as unknown as Database;
  const works = [1, 2, 3].map(() => createAcrossServers(database, { now: () => 0 }));
  const found = await Promise.all(
    works.map((acrossServers) =>
      acrossServers(async (servers) => {
        if (servers === 'all') throw SERVER_LOST;
        return servers;
      }),
    ),
  );
  assert.deepEqual(found, [['M1'], ['M1'], ['M1']]);
  assert.equal(asked.filter((text) => text.includes('run_command_on_placements')).length, 1);
});
