/**
 * The homes of root's databases. PostgreSQL does not run as root, and the account that it uses instead cannot reach a private
 * home such as /root. So root's databases are under /var/lib, and a pointer in the data directory leads there. A file
 * next to each database records its origin, because the pointer disappears with a deleted data directory.
 */
import { createHash } from 'node:crypto';
import { chown, link, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '../../foundation/error-code.ts';
import { noPackage } from './embedded-postgres-error.ts';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The origin of a database at its latest start. */
export interface Origin {
  readonly dataDirectory: string;
  /** The file system of the data directory. */
  readonly device: number;
}

export interface RootHome {
  readonly folder: string;
  /** Undefined if an earlier release made the database, and it has not been started since. */
  readonly origin: Origin | undefined;
}

/** Another account can reach it, unlike the folders of root. */
export const SYSTEM_FOLDER = '/var/lib/payment-gateway';
const POINTER = 'postgres-location';
/** Errors caused by a concurrent process, or by a file system without hard links. */
const NO_SECOND_NAME = new Set(['EEXIST', 'EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP']);
const HOME_NAME = /^[0-9a-f]{12}-[A-Za-z0-9]{6}$/;

/**
 * The folder's name begins with the hash of the data directory, so that a user can find it. Its end is random, so that a
 * recreated data directory begins empty.
 */
export async function makeRootHome(dataDirectory: string): Promise<{ folder: string; account: Account }> {
  const account = await findAccount();
  const hash = createHash('sha256').update(dataDirectory).digest('hex').slice(0, 12);
  await mkdir(SYSTEM_FOLDER, { recursive: true, mode: 0o755 });
  const folder = await mkdtemp(join(SYSTEM_FOLDER, `${hash}-`));
  await chown(folder, account.uid, account.gid);
  await writeFile(join(dataDirectory, POINTER), `${folder}\n`, { mode: 0o644 });
  await rememberOrigin(folder, dataDirectory);
  return { folder, account };
}

/** Returns the home that the data directory points to; undefined without a pointer. */
export async function readPointer(dataDirectory: string): Promise<string | undefined> {
  const text = await readFile(join(dataDirectory, POINTER), 'utf8').catch(() => '');
  return text.trim() || undefined;
}

/** Call this at startup for every home, because a data directory may have been moved. */
export async function rememberOrigin(folder: string, dataDirectory: string): Promise<void> {
  if (dirname(folder) !== SYSTEM_FOLDER) return;
  const origin: Origin = { dataDirectory, device: (await stat(dataDirectory)).dev };
  const unfinished = `${filesOf(folder).origin}.${process.pid}`;
  await writeFile(unfinished, `${JSON.stringify(origin)}\n`, { mode: 0o600 });
  await rename(unfinished, filesOf(folder).origin);
  // This hard link is a second name of the pointer file. While the link count is two, the first name still exists on the
  // same file system.
  await rm(filesOf(folder).pointer, { force: true });
  await link(join(dataDirectory, POINTER), filesOf(folder).pointer).catch((error) => {
    if (!NO_SECOND_NAME.has(errorCode(error) ?? '')) throw error;
  });
}

/** Lists all databases of root on this machine with a name of this program's form, or their remains. */
export async function listRootHomes(): Promise<RootHome[]> {
  const entries = await readdir(SYSTEM_FOLDER).catch(() => []);
  const names = new Set(entries.map((entry) => entry.replace(/\.(?:origin|pointer|orphaned)$/, '')));
  const homes = [...names].filter((name) => HOME_NAME.test(name)).map((name) => readHome(join(SYSTEM_FOLDER, name)));
  return Promise.all(homes);
}

async function readHome(folder: string): Promise<RootHome> {
  const text = await readFile(filesOf(folder).origin, 'utf8').catch(() => undefined);
  return { folder, origin: text === undefined ? undefined : JSON.parse(text) };
}

/** Returns the files next to the folder of a home. Only root can write there. */
export function filesOf(folder: string) {
  return { origin: `${folder}.origin`, pointer: `${folder}.pointer`, orphaned: `${folder}.orphaned` };
}

/** Deletes a database permanently. No process may use it. */
export async function removeRootHome(folder: string): Promise<void> {
  if (dirname(folder) !== SYSTEM_FOLDER) throw new Error(`${folder} is not a database of root`);
  await rm(folder, { recursive: true, force: true });
  for (const file of Object.values(filesOf(folder))) await rm(file, { force: true });
}

/** Returns the account that runs the server when this process is root: PostgreSQL's own account if it exists. */
export async function findAccount(): Promise<Account> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'));
  const line = ['postgres', 'nobody'].map((name) => lines.find((fields) => fields[0] === name)).find(Boolean);
  if (!line) throw noPackage('a system that has neither an account postgres nor nobody, when started as root');
  return { uid: Number(line[2]), gid: Number(line[3]) };
}
