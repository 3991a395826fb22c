/** The form of a time in callback ids (payout-callbacks.ts, deposit-callbacks.ts): milliseconds since 1970 in base 36. */

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';
/** Enough digits for the next two thousand years. */
const PLACES = Array.from({ length: 9 }, (_, power) => 36n ** BigInt(power)).join(', ');

/** Returns SQL that equals JavaScript's `ms.toString(36)`, for an SQL expression of the time. */
export function timeInIdSql(time: string): string {
  return `(select ltrim(string_agg(substr('${DIGITS}', (n / place % 36)::int + 1, 1), '' order by place desc), '0')
          from (select (extract(epoch from ${time}) * 1000)::bigint as n) as n, unnest(array[${PLACES}]::bigint[]) as place)`;
}
