/** Stores the policies, which say which actions need a second person. */
import { OPERATOR_MERCHANT } from '../../domain/merchants/merchant.ts';
import type { Policy } from '../../domain/proposals/policy.ts';
import type { PolicyStore } from '../../domain/proposals/policy-store.ts';
import type { Currency } from '../../foundation/currency.ts';
import { lockKey } from '../core/advisory-locks.ts';
import type { Database, Queryable } from '../core/database.ts';

interface PolicyRow {
  readonly act: string;
  readonly currency: Currency | null;
  readonly above: bigint | null;
  readonly merchant_id: string | null;
}

export function createPolicyStore(database: Database): PolicyStore {
  return {
    async binding(act, { team, actor, people }) {
      const isOfOperator =
        team !== OPERATOR_MERCHANT && actor.kind === 'token' && (await comesFromOperator(database, actor.id));
      const rows = await database.query<PolicyRow & { readonly team: string }>(
        `select team, act, currency, above, merchant_id from policies
         where act = $1 and (team = $2 or (team = $4 and ($5 or exists (
           select from memberships where merchant_id is null and person_id = any($3::text[])))))
         order by team <> $4, place`,
        [act, team, people, OPERATOR_MERCHANT, isOfOperator],
      );
      return rows.map((row) => ({ ...readPolicy(row), team: row.team }));
    },
    list: (team) => listPolicies(database, team),
    replace: (team, policies, isCurrent) =>
      database.transaction(async (transaction) => {
        await transaction.query(`select pg_advisory_xact_lock(${lockKey('policies', '$1::text')})::text as held`, [
          team,
        ]);
        if (!isCurrent(await listPolicies(transaction, team))) return false;
        await transaction.query('delete from policies where team = $1', [team]);
        const rows = policies.map(({ act, currency, above, merchantId }, index) => ({
          place: index + 1,
          act,
          currency,
          above: above?.toString() ?? null,
          merchant_id: merchantId,
        }));
        await transaction.query(
          `insert into policies (team, place, act, currency, above, merchant_id)
           select $1, place, act, currency, above, merchant_id
           from json_to_recordset($2) as r(place smallint, act text, currency text, above bigint, merchant_id text)`,
          [team, JSON.stringify(rows)],
        );
        return true;
      }),
  };
}

/**
 * Returns true if a token of the operator created the merchant's token, directly or through tokens that it created. It reads
 * level by level, because a cluster runs no recursive statement.
 */
async function comesFromOperator(database: Queryable, tokenId: string): Promise<boolean> {
  for (let next: string | null = tokenId; next !== null; ) {
    const rows: readonly TokenRow[] = await database.query<TokenRow>(
      'select merchant_id, parent_id from api_tokens where token_id = $1',
      [next],
    );
    if (rows[0]?.merchant_id === null) return true;
    next = rows[0]?.parent_id ?? null;
  }
  return false;
}

interface TokenRow {
  readonly merchant_id: string | null;
  readonly parent_id: string | null;
}

async function listPolicies(queryable: Queryable, team: string): Promise<readonly Policy[]> {
  const rows = await queryable.query<PolicyRow>(
    'select act, currency, above, merchant_id from policies where team = $1 order by place',
    [team],
  );
  return rows.map(readPolicy);
}

function readPolicy({ act, currency, above, merchant_id: merchantId }: PolicyRow): Policy {
  return { act, currency, above, merchantId };
}
