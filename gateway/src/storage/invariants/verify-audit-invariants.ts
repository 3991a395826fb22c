/** The invariants of the audit log. */
import type { Invariant } from './invariant.ts';

/** Writes the field as `writeField` of domain/audit/audit-entry.ts does. */
function field(expression: string): string {
  return `coalesce(octet_length(${expression})::text || ':' || ${expression}, '-')`;
}

const FIELDS = [
  'merchant_id',
  'number::text',
  '(extract(epoch from at) * 1000)::bigint::text',
  'act_id',
  'phase',
  'act',
  'object',
  'actor_kind',
  'actor_id',
  'actor_name',
  'address',
  'request_id',
  'reason',
  'detail',
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
  {
    name: 'audit_chains_end_at_their_heads',
    meaning: 'each audit chain ends at the entry that was written last: none of its newest entries is lost or forged',
    sql: `
      select merchant_id, e.number as last_entry, h.number as head from (
        select distinct on (merchant_id) merchant_id, number, hash from audit_entries
        order by merchant_id, number desc) as e
      full join audit_heads as h using (merchant_id)
      where h.number is distinct from e.number or h.hash is distinct from e.hash`,
  },
  {
    name: 'executed_proposals_are_one_approved_act',
    meaning:
      'each executed proposal was signed by a user other than its maker and is exactly one action of the audit log',
    sql: `
      select proposal_id, done.acts from proposal_ends as e join proposals as p using (proposal_id)
      left join (
        select act_id, act, count(*) as acts from audit_entries where phase = 'done' group by act_id, act) as done
        on done.act_id = e.act_id and done.act = p.act
      where e.kind = 'executed'
        and (done.acts is distinct from 1 or e.signature is null or e.person in ('', p.maker_person)
          or e.mailbox = p.maker_mailbox or e.ended_at >= p.expires_at)`,
  },
];
