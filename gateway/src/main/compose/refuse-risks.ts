/**
 * The check that production makes before it serves. It compares the database with the rules and throws on a risk. It logs
 * each risk that an operator accepted, and each merchant that accepts unsigned forms. With several processes, only the
 * supervisor checks.
 */
import type pg from 'pg';
import { utcDayOf } from '../../foundation/clock.ts';
import { readLoginRights } from '../../storage/core/connection/login-rights.ts';
import { readServerSettings } from '../../storage/core/connection/server-settings.ts';
import { type Database, openDatabase } from '../../storage/core/database.ts';
import { createVaultStore } from '../../storage/vault/vault-store.ts';
import type { Config } from '../config/config.ts';
import { keyringFromSecret } from '../config/master-key.ts';
import type { Log } from '../observability/log.ts';
import { type Judgement, judgeDatabase, NO_RISK, refusalOf } from '../production/risks.ts';
import { logUnsignedForms } from './read-unsigned-forms.ts';

/** The message has one sentence for each risk. */
export class ProductionRefusal extends Error {
  override readonly name = 'ProductionRefusal';
}

/** Throws ProductionRefusal. `connection` must lead to the configured, migrated database. */
export async function refuseRisks(config: Config, connection: pg.ClientConfig, log: Log): Promise<void> {
  const { refused, accepted } = await judgeOnDatabase(config, connection);
  if (refused.length > 0) throw new ProductionRefusal(refused.map(refusalOf).join('\n'));
  for (const { rule, override, found } of [...config.acceptedRisks, ...accepted])
    log('risk_accepted', { rule, variable: override, found });
  await logUnsignedForms(config, connection, log);
}

/** Checks the rules about the database only. The configuration reader checks the rules about variables. */
export async function judgeOnDatabase(config: Config, connection: pg.ClientConfig): Promise<Judgement> {
  if (config.environment !== 'production') return NO_RISK;
  const asLogin = openDatabase(connection, { poolSize: 1, actAsApp: false });
  try {
    const login = config.databaseUrl ? await readLoginRights(asLogin) : null;
    const { unsafe: unsafeSettings } = await readServerSettings(asLogin);
    return judgeDatabase({ login, unsafeSettings, ...(await readRetirement(config, asLogin)) }, config.overrides);
  } finally {
    await asLogin.close();
  }
}

async function readRetirement({ masterKey }: Config, database: Database) {
  if (!masterKey) return { masterKeyId: null, retiredOn: null };
  const masterKeyId = keyringFromSecret(masterKey).current().id;
  const retiredAt = await createVaultStore(database).findRetirement(masterKeyId);
  return { masterKeyId, retiredOn: retiredAt === undefined ? null : utcDayOf(retiredAt) };
}
