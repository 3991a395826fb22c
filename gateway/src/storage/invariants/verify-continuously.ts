/**
 * Checks the invariants of verify-invariants.ts while the gateway works, however large the tables are. It proceeds by merchant
 * and by a few thousand payouts or deposits. Each check has its own short snapshot, because a long one would keep vacuum from
 * the queues. The pause after it grows with its cost. Only the full check finds violations across merchants, such as a row
 * without a merchant. It repairs nothing.
 */
import type { InvariantReport } from '../../domain/monitoring/invariant-report.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Random } from '../../foundation/random.ts';
import { MERCHANT_VIEWS, TABLE_LAYOUTS } from '../cluster/distribution.ts';
import type { Database, Queryable } from '../core/database.ts';
import type { Invariant } from './invariant.ts';
import { findOffending, INVARIANTS } from './verify-invariants.ts';

interface ContinuousCheck {
  readonly clock: Clock;
  /** Chooses the first merchant. Frequent interruptions then do not exclude the same merchants each time. */
  readonly random: Random;
  readonly signal: AbortSignal;
  /** Receives each violated invariant once, as soon as it is found. */
  readonly onBroken: (report: InvariantReport) => void;
  readonly rowsPerLook?: number;
}

const ROWS_PER_LOOK = 5_000;
/** At most a twentieth of the time is spent on checks. */
const PAUSE_PER_COST = 19;

/** The tables that are checked in parts, with the key after the merchant. No other table of a merchant grows as much. */
const WALKS = {
  payouts: { key: 'payout_id', type: 'text', first: '' },
  deposits: { key: 'transaction_id', type: 'bigint', first: '0' },
} as const;
type Walked = keyof typeof WALKS;

/** The tables whose rows belong to merchants. Directories have no merchant and are read completely. */
const OWNED = [
  ...Object.keys(TABLE_LAYOUTS).filter((table) => TABLE_LAYOUTS[table]?.kind === 'merchant'),
  ...MERCHANT_VIEWS,
];
const OWNED_NAME = new RegExp(`\\b(?:${OWNED.join('|')})\\b`, 'g');

/** Resolves when every merchant was checked, or soon after the abort signal. */
export async function verifyContinuously(database: Database, check: ContinuousCheck): Promise<void> {
  const reported = new Set<string>();
  const look = async (work: (transaction: Queryable) => Promise<readonly InvariantReport[]>) => {
    if (check.signal.aborted) return;
    const startedAt = check.clock.now();
    for (const report of await database.snapshot(work)) {
      if (!reported.has(report.name)) check.onBroken(report);
      reported.add(report.name);
    }
    await check.clock.sleep(PAUSE_PER_COST * (check.clock.now() - startedAt), check.signal);
  };
  for (const merchantId of await merchantsInTurn(database, check.random)) {
    for (const invariant of INVARIANTS.filter(({ walks }) => walks === undefined))
      await look((transaction) => findBroken(transaction, [invariant], scopeOf(merchantId)));
    for (const walked of Object.keys(WALKS) as Walked[])
      await walk(database, walked, merchantId, check, (scope) =>
        look((transaction) =>
          findBroken(
            transaction,
            INVARIANTS.filter(({ walks }) => walks === walked),
            scope,
          ),
        ),
      );
    if (check.signal.aborted) return;
  }
}

async function merchantsInTurn(database: Database, random: Random): Promise<MerchantId[]> {
  const rows = await database.query<{ merchant_id: string }>('select merchant_id from merchants order by merchant_id');
  const ids = rows.map((row) => row.merchant_id);
  const first = Math.floor(random.fraction() * ids.length);
  return [...ids.slice(first), ...ids.slice(0, first)];
}

/** A part of the tables: a condition that replaces each table name, and its parameters. */
interface Scope {
  readonly conditionOf: (table: string) => string;
  readonly values: readonly (string | null)[];
}

function scopeOf(merchantId: MerchantId): Scope {
  return { conditionOf: () => 'merchant_id = $1', values: [merchantId] };
}

function pieceOf(walked: Walked, merchantId: MerchantId, after: string, upTo: string | null): Scope {
  const { key, type } = WALKS[walked];
  const piece = `merchant_id = $1 and ${key} > $2::${type} and ($3::${type} is null or ${key} <= $3::${type})`;
  return { conditionOf: (table) => (table === walked ? piece : 'merchant_id = $1'), values: [merchantId, after, upTo] };
}

async function walk(
  database: Database,
  walked: Walked,
  merchantId: MerchantId,
  { signal, rowsPerLook = ROWS_PER_LOOK }: ContinuousCheck,
  look: (scope: Scope) => Promise<void>,
): Promise<void> {
  const { key, type, first } = WALKS[walked];
  for (let after: string | undefined = first; after !== undefined && !signal.aborted; ) {
    const [end]: { key: string }[] = await database.query<{ key: string }>(
      `select ${key}::text as key from ${walked} where merchant_id = $1 and ${key} > $2::${type}
       order by ${key} offset $3 limit 1`,
      [merchantId, after, rowsPerLook - 1],
    );
    await look(pieceOf(walked, merchantId, after, end?.key ?? null));
    after = end?.key;
  }
}

async function findBroken(
  transaction: Queryable,
  invariants: readonly Invariant[],
  scope: Scope,
): Promise<InvariantReport[]> {
  const reports: InvariantReport[] = [];
  for (const invariant of invariants) {
    const report = await findOffending(transaction, invariant, within(scope, invariant), scope.values);
    if (!report.holds) reports.push(report);
  }
  return reports;
}

/** The statement of the invariant over CTEs that replace each table by a part. */
function within({ conditionOf }: Scope, { sql, piecewise = sql }: Invariant): string {
  const tables = [...new Set(piecewise.match(OWNED_NAME))];
  const parts = tables.map(
    (table) => `${table} as not materialized (select * from ${table} where ${conditionOf(table)})`,
  );
  return `with ${parts.join(', ')} select * from (${piecewise}) as offending`;
}
