/**
 * Decides where a database's files are stored and as which user its server runs. For an ordinary user, the files are in the
 * data directory and the server runs as that user. For root, the files are elsewhere and the server runs as another user
 * (root-home.ts).
 *
 * A process that reaches the socket owns the database without a password. So the folder's mode 0700 protects it.
 */
import { chmod, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { errorCode } from '../../foundation/error-code.ts';
import { EmbeddedPostgresError, explainFileError, notWritable } from './embedded-postgres-error.ts';
import { type Account, makeRootHome, readPointer } from './root-home.ts';

export interface ServerHome {
  /** The folder of mode 0700 that holds the socket, the cluster, the server's log and its programs. */
  readonly folder: string;
  /** The user of the server's programs, if it is not the user of this process. */
  readonly account: Account | undefined;
}

/** The limit for a socket path. A socket address has 108 bytes on Linux and 104 on macOS. */
const LONGEST_SOCKET = 100;

/** Creates the data directory if it is missing, and returns its path without symbolic links. */
export async function prepareDataDirectory(dataDirectory: string): Promise<string> {
  try {
    await makeFolder(resolve(dataDirectory));
    return await realpath(dataDirectory);
  } catch (error) {
    throw errorCode(error) === 'ENOENT' ? notWritable(dataDirectory) : explainFileError(error, dataDirectory);
  }
}

/** Avoids the `recursive` option of mkdir, which never returns on a file system that returns ENOENT (such as /proc). */
async function makeFolder(path: string): Promise<void> {
  const existing = await stat(path).catch(() => undefined);
  if (existing?.isDirectory()) return;
  if (dirname(path) !== path) await makeFolder(dirname(path));
  await mkdir(path, { mode: 0o700 }).catch(async (error) => {
    // Another process may have created it since the check.
    if (!(await stat(path).catch(() => undefined))?.isDirectory()) throw error;
  });
}

/** Returns the home that an earlier start made; undefined before the first start. The server runs as the owner of the folder. */
export async function findHome(dataDirectory: string): Promise<ServerHome | undefined> {
  const pointed = await readPointer(dataDirectory);
  const folder = pointed ?? join(dataDirectory, 'postgres');
  if (!isRoot()) checkSocketLength(folder);
  try {
    const { uid, gid } = await stat(folder);
    if (uid !== process.getuid?.() && !isRoot()) throw ownedByAnother(dataDirectory, uid);
    return { folder, account: isRoot() ? { uid, gid } : undefined };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw explainFileError(error, folder);
  }
}

/** Creates the home for a first start. The caller must hold the start lock. */
export async function makeHome(dataDirectory: string): Promise<ServerHome> {
  return isRoot() ? makeRootHome(dataDirectory) : makeOwnHome(dataDirectory);
}

async function makeOwnHome(dataDirectory: string): Promise<ServerHome> {
  const folder = join(dataDirectory, 'postgres');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  return { folder, account: undefined };
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function checkSocketLength(folder: string): void {
  const length = Buffer.byteLength(join(folder, '.s.PGSQL.5432'));
  if (length <= LONGEST_SOCKET) return;
  throw new EmbeddedPostgresError(
    `The path of the database's socket in ${folder} has ${length} bytes; the maximum is ${LONGEST_SOCKET}`,
    'Set GATEWAY_DATA_DIR to a folder with a shorter path',
  );
}

function ownedByAnother(dataDirectory: string, uid: number): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The database of ${dataDirectory} belongs to another user (${uid})`,
    'Start the gateway as the user who created it, or set GATEWAY_DATA_DIR to another directory',
  );
}
