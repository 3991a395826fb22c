/** Finds the PostgreSQL programs that can run a restored backup, and the user that runs them. */
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { BackupError } from '../../storage/backup/backup-error.ts';
import type { BaseBackup } from '../../storage/backup/backup-folder.ts';
import { type Account, findPrograms } from '../../storage/backup/scratch-server.ts';
import { installPrograms } from '../../storage/embedded/native-programs.ts';
import { findAccount, SYSTEM_FOLDER } from '../../storage/embedded/root-home.ts';
import { MAJOR_VERSION } from '../../storage/embedded/server-process.ts';

/** `home` is the folder to which the embedded programs are copied if needed. Throws BackupError. */
export async function findServerPrograms(
  { postgresVersion }: BaseBackup,
  given: string | null,
  home: string,
): Promise<string> {
  if (given !== null) return given;
  const installed = await findPrograms(postgresVersion);
  if (installed !== undefined) return installed;
  if (String(postgresVersion) === MAJOR_VERSION) return dirname((await installPrograms(home)).pgCtl);
  throw new BackupError(
    `No programs of PostgreSQL ${postgresVersion} were found`,
    'Install its server package, or pass the directory of pg_ctl with --programs',
  );
}

/** PostgreSQL refuses to run as root. If undefined, it runs as the user of this process. */
export async function serverAccount(): Promise<Account | undefined> {
  return process.getuid?.() === 0 ? findAccount() : undefined;
}

/** Returns the default folder of scratch servers. Another account may not be able to access root's temporary folder. */
export async function scratchParent(account: Account | undefined): Promise<string> {
  if (!account) return tmpdir();
  await mkdir(SYSTEM_FOLDER, { recursive: true, mode: 0o755 });
  return SYSTEM_FOLDER;
}
