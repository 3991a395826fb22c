/**
 * Some merchants number their payouts in sequence, others use UUIDs. The measured payouts alternate between the two, because
 * their indexes behave very differently. If the number of merchants is even, every other merchant uses each kind.
 */
import { createHash } from 'node:crypto';

export function payoutIdOf(index: number): string {
  return index % 2 === 0 ? sequentialId(index) : uuidLike(index);
}

function sequentialId(index: number): string {
  return `P${String(index).padStart(12, '0')}`;
}

function uuidLike(index: number): string {
  const hex = createHash('md5').update(String(index)).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Returns the SQL expression for the same id. `number` is an SQL expression. */
export function payoutIdSql(number: string, prefix = 'P'): string {
  return `(case when ${number} % 2 = 0 then '${prefix}' || lpad((${number})::text, 12, '0')
    else md5('${prefix === 'P' ? '' : prefix}' || ${number})::uuid::text end)`;
}
