/** How callback ids hold a time (payout-callbacks.ts, deposit-callbacks.ts): its milliseconds since 1970, to the base of 36. */

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';
/** More than a time has for the next two thousand years. */
const PLACES = Array.from({ length: 9 }, (_, power) => 36n ** BigInt(power)).join(', ');

/** SQL for what JavaScript writes as `ms.toString(36)`, of an expression for that time. */
export function timeInIdSql(time: string): string {
  return `(select ltrim(string_agg(substr('${DIGITS}', (n / place % 36)::int + 1, 1), '' order by place desc), '0')
          from (select (extract(epoch from ${time}) * 1000)::bigint as n) as n, unnest(array[${PLACES}]::bigint[]) as place)`;
}
