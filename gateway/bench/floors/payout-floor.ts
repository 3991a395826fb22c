/**
 * The SQL floor of acceptance: one statement writes the rows and balance changes of the gateway's accepting commit, without
 * lookups or decisions.
 */
import { payoutIdSql } from '../load/payout-ids.ts';
import type { PayoutShape } from '../specimen/specimen.ts';
import { MERCHANTS } from '../stage/bench-merchants.ts';
import { deleteFloorRows, floorMerchantSql, type SqlFloorOf } from './sql-floor.ts';

/** More money than any floor spends. */
const FUNDS = 10n ** 15n;

/** The payout's number. It is repeated in the SQL, because a common table expression for it is slower. */
const NUMBER = ':id::bigint';
/** Has the length and order of the gateway's ids, without the cost of `timeInIdSql`, which the floor must not include. */
const TIME_IN_ID = `to_hex((extract(epoch from now()) * 1000)::bigint >> 12)`;
const NAMES = namesOf(NUMBER);

/** Returns the payout's names for the expressions of its rows. `number` is an SQL expression. */
export function namesOf(number: string): Readonly<Record<string, string>> {
  return {
    'k.number': `(${number})`,
    'k.merchant_id': floorMerchantSql(number),
    'k.payout_id': payoutIdSql(number),
    'k.at': 'now()',
    'k.time_in_id': TIME_IN_ID,
  };
}

export function payoutFloor({ rows, balances }: PayoutShape): SqlFloorOf {
  const moved = balances.filter(({ change }) => change !== 0n);
  const accounts = moved.map(({ currency, account }) => `('${currency}', '${account}')`).join(', ');
  const changes = moved.map(({ account, change }) => `when '${account}' then ${change}`).join(' ');
  const inserts = rows.map(({ table, columns }, at) => {
    const names = columns.map(([name]) => `"${name}"`).join(', ');
    return `r${at} as (insert into ${table} (${names}) values (${columns.map(([, text]) => named(text)).join(', ')}))`;
  });
  return {
    name: 'accept-one',
    prepare: [
      `insert into ledger_accounts (merchant_id, currency, account, balance)
       select ${floorMerchantSql('m')}, currency, account, ${FUNDS}
       from generate_series(0, ${MERCHANTS - 1}) as m, (values ${accounts}) as a(currency, account)`,
    ],
    statement: `
with ${inserts.join(',\n')}
update ledger_accounts set balance = balance + case account ${changes} end
where merchant_id = ${named('k.merchant_id')} and (currency, account) in (${accounts})`,
    clean: deleteFloorRows([...new Set(rows.map(({ table }) => table)), 'ledger_accounts']),
  };
}

function named(expression: string): string {
  return expression.replaceAll(/\bk\.\w+/g, (name) => NAMES[name] ?? name);
}
