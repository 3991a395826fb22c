/** Reads the settings of the PostgreSQL server that decide what a crash loses, and how long a commit waits. */
import type { Queryable } from '../database.ts';

interface ServerSettings {
  /** Settings with which a crash or a failover can lose an acknowledged commit, each as `name is value`. */
  readonly unsafe: readonly string[];
  /** The size of the log that a checkpoint keeps to use again, in MB. */
  readonly minWalSizeMb: number;
}

/** Returns the settings that this login's sessions get, including those of `alter role … set` and `alter database … set`. */
export async function readServerSettings(asLogin: Queryable): Promise<ServerSettings> {
  const rows = await asLogin.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name in
       ('fsync', 'full_page_writes', 'synchronous_commit', 'synchronous_standby_names', 'min_wal_size')`,
  );
  const { min_wal_size, ...settings } = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  return { unsafe: unsafeSettings(settings), minWalSizeMb: Number(min_wal_size) };
}

/** `local` waits for no standby, so a failover to one loses the commit. */
function unsafeSettings(settings: Readonly<Record<string, string>>): string[] {
  const hasStandbys = (settings['synchronous_standby_names'] ?? '') !== '';
  return ['fsync', 'full_page_writes', 'synchronous_commit'].flatMap((name) => {
    const value = settings[name] ?? '';
    return value === 'off' || (value === 'local' && hasStandbys) ? [`${name} is ${value}`] : [];
  });
}
