/**
 * Where each table lies on a Citus cluster: the one list. On a single PostgreSQL it changes nothing. What the list
 * demands of keys and of statements is held by gateway/test/distribution; `distribute-tables.ts` carries it out.
 */
import type { Queryable } from '../core/database.ts';

export type TableLayout =
  /** Spread by merchant_id, all of a merchant's rows on one node. */
  | { readonly kind: 'merchant' }
  /** Found by something that says nothing of the merchant, and spread by that. */
  | { readonly kind: 'directory'; readonly column: string }
  /** Small and nobody's: on the coordinator alone. */
  | { readonly kind: 'local' };

const MERCHANT: TableLayout = { kind: 'merchant' };
const LOCAL: TableLayout = { kind: 'local' };
const directory = (column: string): TableLayout => ({ kind: 'directory', column });

/** In the order in which they are laid out: what others refer to first, and `merchants` before all that lie beside it. */
export const TABLE_LAYOUTS: Readonly<Record<string, TableLayout>> = {
  merchants: MERCHANT,
  merchant_keys: MERCHANT,
  vault_records: MERCHANT,
  vault_expiries: MERCHANT,
  ledger_accounts: MERCHANT,
  ledger_transfers: MERCHANT,
  payouts: MERCHANT,
  payout_jobs: MERCHANT,
  payout_attempts: MERCHANT,
  payout_history: MERCHANT,
  payout_adjustments: MERCHANT,
  callbacks: MERCHANT,
  callback_lanes: MERCHANT,
  callback_attempts: MERCHANT,
  deposits: MERCHANT,
  deposit_orders: MERCHANT,
  deposit_history: MERCHANT,
  deposit_adjustments: MERCHANT,
  deposit_refunds: MERCHANT,
  receipt_takings: MERCHANT,
  incoming_transfers: MERCHANT,
  form_sessions: MERCHANT,
  payment_attempts: MERCHANT,
  payment_cards: MERCHANT,
  payment_tries: MERCHANT,
  rail_references: directory('reference'),
  payment_references: directory('reference'),
  clabes: directory('clabe'),
  incoming_transfer_keys: directory('transfer_key'),
  form_tokens: directory('token_hash'),
  payer_bank_lists: LOCAL,
  pauses: LOCAL,
  routes: LOCAL,
  rail_hours: LOCAL,
  reconciliations: LOCAL,
  differences: LOCAL,
  recoveries: LOCAL,
  recovery_rails: LOCAL,
  unaccounted_payouts: directory('reference'),
  rail_health: LOCAL,
  rail_floats: LOCAL,
  vault_keys: LOCAL,
  retired_master_keys: LOCAL,
  schema_migrations: LOCAL,
};

/** Views are led by the merchant as the tables under them are. */
export const MERCHANT_VIEWS: readonly string[] = ['transfers_in', 'refund_payouts', 'receipt_balances'];

/** Whether this may be a cluster. Asked once: a database becomes one while nothing serves. */
export function createClusterQuestion(database: Queryable): () => Promise<boolean> {
  let answer: boolean | undefined;
  return async () => {
    if (answer === undefined) {
      const [row] = await database.query<{ is: boolean }>("select to_regclass('pg_dist_partition') is not null as is");
      answer = row?.is === true;
    }
    return answer;
  };
}

/** The column that a table is spread by; null where it is not spread. */
export function spreadBy(layout: TableLayout): string | null {
  if (layout.kind === 'local') return null;
  return layout.kind === 'merchant' ? 'merchant_id' : layout.column;
}
