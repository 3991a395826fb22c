/**
 * Lists the merchants that accept unsigned forms, in the doctor and in the log when production starts. The setting is the
 * merchant's choice and not a fault, so it never prevents a start.
 */
import type pg from 'pg';
import { findUnsignedForms, type UnsignedForms } from '../../domain/merchants/unsigned-forms.ts';
import { openDatabase } from '../../storage/core/database.ts';
import { createMerchantStore } from '../../storage/merchants/merchant-store.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../observability/log.ts';

export async function logUnsignedForms(
  { environment }: Pick<Config, 'environment'>,
  connection: pg.ClientConfig,
  log: Log,
): Promise<void> {
  const unsigned = environment === 'production' ? await readUnsignedForms(connection) : undefined;
  if (unsigned) log('unsigned_forms_accepted', { ...unsigned });
}

/** Requires a migrated database. */
export async function readUnsignedForms(connection: pg.ClientConfig): Promise<UnsignedForms | undefined> {
  const database = openDatabase(connection, { poolSize: 1 });
  try {
    return findUnsignedForms(await createMerchantStore(database).list());
  } finally {
    await database.close();
  }
}
