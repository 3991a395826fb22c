/** The keys of the database's advisory locks: each kind hashes its names with a number of its own, so that no two meet. */

const SEEDS = { merchant: 0, turn: 1, work: 2, migration: 3 } as const;

/** `name`: an SQL expression of type text. */
export function lockKey(kind: keyof typeof SEEDS, name: string): string {
  return `hashtextextended(${name}, ${SEEDS[kind]})`;
}

/**
 * Holds the money of the merchants of `source`, a table or CTE with a merchant_id, until the transaction ends: in one
 * order for everybody, so that no two deadlock. Told as text, since a cluster hands on nothing of type void.
 */
export function lockMerchantsOf(source: string): string {
  return `select pg_advisory_xact_lock(lock)::text as held from
    (select distinct ${lockKey('merchant', 'merchant_id')} as lock from ${source} order by 1) as locks`;
}
