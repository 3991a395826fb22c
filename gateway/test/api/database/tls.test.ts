/** The connection to PostgreSQL under `sslmode=verify-full`, against a server that rejects connections without TLS. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { type Authority, issue, makeAuthority } from '../../../../rail-simulators/src/kernel/certificates.ts';
import { findDatabase } from '../../../src/main/compose/open-connection.ts';
import { openDatabase } from '../../../src/storage/core/database.ts';
import { installPrograms } from '../../../src/storage/embedded/native-programs.ts';
import { makeHome, prepareDataDirectory } from '../../../src/storage/embedded/server-home.ts';
import { makeClusterIfMissing, SUPERUSER } from '../../../src/storage/embedded/server-process.ts';
import { configOf, freePort } from '../../support/gateway/running-gateway.ts';

const run = promisify(execFile);
const authority = makeAuthority('Authority of the operator');
let server: { readonly port: number; readonly folder: string; close(): Promise<void> };

before(async () => {
  server = await startTlsServer(authority, 'localhost');
});
after(() => server.close());

/** The server's certificate is valid only for this host. */
async function startTlsServer(issuer: Authority, name: string) {
  const dataDirectory = await prepareDataDirectory(await mkdtemp(join(tmpdir(), 'gateway-tls-')));
  const home = await makeHome(dataDirectory);
  const programs = await installPrograms(home.folder);
  await makeClusterIfMissing(home, programs, false, () => {});
  const port = await freePort();
  const inCluster = (file: string) => join(home.folder, 'cluster', file);
  const { certificate, privateKey } = issue(issuer, 'PostgreSQL', 'server', [name]);
  await writeFile(inCluster('server.crt'), certificate);
  await writeFile(inCluster('server.key'), privateKey, { mode: 0o600 });
  await writeFile(inCluster('pg_hba.conf'), 'hostssl all all 127.0.0.1/32 trust\nhostssl all all ::1/128 trust\n');
  await writeFile(join(dataDirectory, 'authority.pem'), issuer.certificate);
  if (home.account)
    await run('chown', [`${home.account.uid}:${home.account.gid}`, inCluster('server.crt'), inCluster('server.key')]);
  const options = { cwd: home.folder, env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' }, ...home.account };
  const settings = `-c listen_addresses=localhost -c unix_socket_directories=.. -c port=${port} -c ssl=on`;
  const control = (verb: string, ...args: readonly string[]) =>
    run(programs.pgCtl, [verb, '-D', 'cluster', '-w', '-s', ...args], options);
  await control('start', '-l', 'server.log', '-o', settings);
  return {
    port,
    folder: dataDirectory,
    async close() {
      await control('stop', '-m', 'immediate');
      for (const folder of [home.folder, dataDirectory]) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Connects to these hosts. Returns PostgreSQL's view of the connection. */
async function connectTo(hosts: readonly string[], trusted: string): Promise<{ ssl: boolean; version: string }> {
  const named = hosts.map((host) => `${host}:${server.port}`).join(',');
  const query = `target_session_attrs=read-write&sslmode=verify-full&sslrootcert=${trusted}`;
  const { connection } = await findDatabase(
    configOf({ DATABASE_URL: `postgresql://${SUPERUSER}@${named}/postgres?${query}` }),
    () => {},
  );
  const database = openDatabase(connection, { poolSize: 1, actAsApp: false });
  try {
    const [seen] = await database.query<{ ssl: boolean; version: string }>(
      'select ssl, version from pg_stat_ssl where pid = pg_backend_pid()',
    );
    assert(seen);
    return seen;
  } finally {
    await database.close();
  }
}

describe('a DATABASE_URL with sslmode=verify-full', () => {
  const ours = () => join(server.folder, 'authority.pem');

  it('a DATABASE_URL with sslmode=verify-full accepts a certificate for its host that our authority signed', async () => {
    assert.deepEqual(await connectTo(['localhost'], ours()), { ssl: true, version: 'TLSv1.3' });
  });

  it('a DATABASE_URL with sslmode=verify-full rejects a server whose certificate is for another host', async () => {
    await assert.rejects(connectTo(['127.0.0.1'], ours()), /altnames|does not match/i);
  });

  it('a DATABASE_URL with sslmode=verify-full rejects a certificate that a different authority signed', async () => {
    const other = join(server.folder, 'other.pem');
    await writeFile(other, makeAuthority('Somebody else').certificate);
    await assert.rejects(connectTo(['localhost'], other), /certificate/i);
  });

  it('a DATABASE_URL with sslmode=verify-full skips a host with an invalid certificate and tries the next host', async () => {
    assert.equal((await connectTo(['127.0.0.1', 'localhost'], ours())).ssl, true);
  });
});
