/** The invariants of the audit log. */
import type { Invariant } from './invariant.ts';

/** As `writeField` of domain/audit/audit-entry.ts writes it. */
function field(expression: string): string {
  return `coalesce(octet_length(${expression})::text || ':' || ${expression}, '-')`;
}

const FIELDS = [
  ...[
    'merchant_id',
    'number::text',
    '(extract(epoch from at) * 1000)::bigint::text',
    'act_id',
    'phase',
    'act',
    'object',
  ],
  ...['actor_kind', 'actor_id', 'actor_name', 'address', 'request_id', 'reason', 'detail'],
];

export const AUDIT_INVARIANTS: readonly Invariant[] = [
  {
    name: 'audit_chain_is_unbroken',
    meaning: 'each audit entry follows its predecessor without a gap, and its hash fits both',
    sql: `
      select merchant_id, number from (
        select merchant_id, number, hash,
          row_number() over chain as place,
          sha256(coalesce(lag(hash) over chain, ''::bytea) || convert_to(${FIELDS.map(field).join(' || ')}, 'UTF8')) as expected
        from audit_entries
        window chain as (partition by merchant_id order by number)) as entries
      where number <> place or hash <> expected`,
  },
];
