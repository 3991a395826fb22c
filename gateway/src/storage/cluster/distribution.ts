/**
 * The layout of each table on a Citus cluster, in one list. On a single PostgreSQL it has no effect. Tests in
 * gateway/test/distribution enforce its rules for keys and statements. `distribute-tables.ts` applies it.
 */

export type TableLayout =
  /** A table distributed by merchant_id: one node holds all rows of a merchant. */
  | { readonly kind: 'merchant' }
  /** Distributed by a column that does not name the merchant. */
  | { readonly kind: 'spread'; readonly column: string }
  /** Finds a merchant by a key. On the coordinator, and commits together with the merchant's tables, in two phases. */
  | { readonly kind: 'directory' }
  /** A small table without a merchant, which exists only on the coordinator. */
  | { readonly kind: 'local' };

const MERCHANT: TableLayout = { kind: 'merchant' };
const LOCAL: TableLayout = { kind: 'local' };
const DIRECTORY: TableLayout = { kind: 'directory' };

/** In the order of distribution: referenced tables come first, and `merchants` before all tables co-located with it. */
export const TABLE_LAYOUTS: Readonly<Record<string, TableLayout>> = {
  merchants: MERCHANT,
  merchant_keys: MERCHANT,
  conformance_runs: MERCHANT,
  vault_records: MERCHANT,
  vault_expiries: MERCHANT,
  ledger_accounts: MERCHANT,
  ledger_transfers: MERCHANT,
  ledger_closings: MERCHANT,
  ledger_snapshots: MERCHANT,
  payment_volumes: MERCHANT,
  payouts: MERCHANT,
  payout_jobs: MERCHANT,
  payout_attempts: MERCHANT,
  payout_history: MERCHANT,
  payout_makers: MERCHANT,
  payout_approvals: MERCHANT,
  payout_batches: MERCHANT,
  payout_batch_rows: MERCHANT,
  payout_batch_history: MERCHANT,
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
  payment_wallets: MERCHANT,
  receipt_emails: MERCHANT,
  counted_attempts: MERCHANT,
  payment_references: DIRECTORY,
  provider_exchanges: { kind: 'spread', column: 'reference' },
  clabes: DIRECTORY,
  incoming_transfer_keys: DIRECTORY,
  form_tokens: DIRECTORY,
  logged_requests: MERCHANT,
  audit_entries: MERCHANT,
  audit_heads: MERCHANT,
  act_answers: DIRECTORY,
  api_tokens: LOCAL,
  people: LOCAL,
  memberships: LOCAL,
  passkeys: LOCAL,
  passwords: LOCAL,
  recovery_codes: LOCAL,
  openid_identities: LOCAL,
  sessions: LOCAL,
  invitations: LOCAL,
  sign_in_attempts: LOCAL,
  challenges: LOCAL,
  policies: LOCAL,
  proposals: LOCAL,
  proposal_ends: LOCAL,
  payer_bank_lists: LOCAL,
  pauses: LOCAL,
  routes: LOCAL,
  rail_hours: LOCAL,
  processes: LOCAL,
  backup_proofs: LOCAL,
  reconciliations: LOCAL,
  differences: LOCAL,
  recoveries: LOCAL,
  recovery_rails: LOCAL,
  unaccounted_payouts: LOCAL,
  database_lineages: LOCAL,
  rail_references: DIRECTORY,
  rail_health: LOCAL,
  rail_floats: LOCAL,
  vault_keys: LOCAL,
  statement_keys: LOCAL,
  retired_master_keys: LOCAL,
  schema_migrations: LOCAL,
};

/** Views whose leading column is the merchant, like the tables under them. */
export const MERCHANT_VIEWS: readonly string[] = [
  'transfers_in',
  'refund_payouts',
  'receipt_balances',
  'payout_entries',
];

/** Returns the distribution column of a table, or null if the table is not distributed. */
export function spreadBy(layout: TableLayout): string | null {
  if (layout.kind === 'local' || layout.kind === 'directory') return null;
  return layout.kind === 'merchant' ? 'merchant_id' : layout.column;
}
