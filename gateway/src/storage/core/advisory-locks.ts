/** The keys of the database's advisory locks. Each kind hashes its names with its own seed, so that kinds do not collide. */

const SEEDS = { merchant: 0, turn: 1, work: 2, migration: 3, audit: 4, team: 5, policies: 6 } as const;

/** `name` is an SQL expression of type text. */
export function lockKey(kind: keyof typeof SEEDS, name: string): string {
  return `hashtextextended(${name}, ${SEEDS[kind]})`;
}

/**
 * Locks the merchants of `source`, a table or CTE with a merchant_id, until the transaction ends. All transactions acquire the
 * locks in one order, so they cannot deadlock. The result is text because Citus forwards no values of type void.
 */
export function lockMerchantsOf(source: string): string {
  return `select pg_advisory_xact_lock(lock)::text as held from
    (select distinct ${lockKey('merchant', 'merchant_id')} as lock from ${source} order by 1) as locks`;
}
