/**
 * Prevents maintenance of the run's tables at moments that the machine chooses: new statistics change plans and the order
 * of rows.
 */
import type { Admin } from './restorable-database.ts';

export async function stopAutovacuum(admin: Admin): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  await admin.query(rows.map(({ name }) => `alter table ${name} set (autovacuum_enabled = false)`).join(';'));
}
