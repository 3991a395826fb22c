/**
 * Disables autovacuum on the run's tables: new statistics would change plans and the order of rows at unpredictable moments.
 */
import type { Admin } from './restorable-database.ts';

export async function stopAutovacuum(admin: Admin): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  await admin.query(rows.map(({ name }) => `alter table ${name} set (autovacuum_enabled = false)`).join(';'));
}
