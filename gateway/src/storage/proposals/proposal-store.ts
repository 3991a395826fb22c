/** Stores proposals and their ends. The tables are append-only, and the primary key of the ends decides every race. */
import type { ActorKind } from '../../domain/audit/actor.ts';
import type { ProposalEndKind, ProposalRecord } from '../../domain/proposals/proposal.ts';
import type { ProposalStore } from '../../domain/proposals/proposal-store.ts';
import type { Instant } from '../../foundation/clock.ts';
import type { Database } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';

interface ProposalRow {
  readonly proposal_id: string;
  readonly team: string;
  readonly act: string;
  readonly object: string;
  readonly content: string;
  readonly hash: Buffer;
  readonly reason: string | null;
  readonly maker_kind: ActorKind;
  readonly maker_id: string;
  readonly maker_name: string;
  readonly maker_person: string;
  readonly maker_mailbox: string;
  readonly maker_credentials: readonly string[];
  readonly created_at: Instant;
  readonly expires_at: Instant;
  readonly kind: ProposalEndKind | null;
  readonly ended_at: Instant;
  readonly actor_kind: ActorKind;
  readonly actor_id: string;
  readonly actor_name: string;
  readonly person: string;
  readonly mailbox: string;
  readonly signature: string | null;
  readonly act_id: string | null;
  readonly detail: string;
}

const COLUMNS = `p.proposal_id, p.team, p.act, p.object, p.content, p.hash, p.reason, p.maker_kind, p.maker_id, p.maker_name,
  p.maker_person, p.maker_mailbox, p.maker_credentials, p.created_at, p.expires_at, e.kind, e.ended_at, e.actor_kind,
  e.actor_id, e.actor_name, e.person, e.mailbox, e.signature, e.act_id, e.detail`;

const pageOf = (belongs: string) => `
(select ${COLUMNS} from proposals as p left join proposal_ends as e using (proposal_id)
where ${belongs} and (p.created_at, p.proposal_id) < ($2, $3)
  and ($4::timestamptz is null or (e.proposal_id is null and p.expires_at > $4))
order by p.created_at desc, p.proposal_id desc limit $5)`;

/** The second part of the query: proposals that the caller made at the merchant of team $1, and that the operator decides. */
const LIST = `
${pageOf('p.team = $1')}
union all
${pageOf(`p.maker_kind = $6 and p.maker_id = $7 and p.team <> $1 and p.content::json #>> '{request,at}' = $1`)}
order by created_at desc, proposal_id desc limit $5`;

const ABOUT = `
select ${COLUMNS} from proposals as p left join proposal_ends as e using (proposal_id)
where p.team = $1 and p.object = any($2::text[]) order by p.created_at desc limit 100`;

export function createProposalStore(database: Database): ProposalStore {
  return {
    async add(proposal) {
      const { maker } = proposal;
      await database.query(
        `insert into proposals (proposal_id, team, act, object, content, hash, reason, maker_kind, maker_id, maker_name,
           maker_person, maker_mailbox, maker_credentials, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
         on conflict (proposal_id) do nothing`,
        [
          proposal.proposalId,
          proposal.team,
          proposal.act,
          proposal.object,
          proposal.content,
          proposal.hash,
          proposal.reason,
          maker.kind,
          maker.id,
          maker.name,
          proposal.makerPerson,
          proposal.makerMailbox,
          proposal.makerCredentials,
          timestamp(proposal.createdAt),
          timestamp(proposal.expiresAt),
        ],
      );
    },
    async find(proposalId) {
      const [row] = await database.query<ProposalRow>(
        `select ${COLUMNS} from proposals as p left join proposal_ends as e using (proposal_id) where p.proposal_id = $1`,
        [proposalId],
      );
      return row && readRecord(row);
    },
    async list({ team, maker, openAt, before, limit }) {
      const rows = await database.query<ProposalRow>(LIST, [
        team,
        timestamp(before?.createdAt ?? Number.POSITIVE_INFINITY),
        before?.proposalId ?? '',
        openAt === null ? null : timestamp(openAt),
        limit,
        maker?.kind ?? null,
        maker?.id ?? null,
      ]);
      return rows.map(readRecord);
    },
    async about(team, objects) {
      return (await database.query<ProposalRow>(ABOUT, [team, objects])).map(readRecord);
    },
    async end({ proposalId, maker, makerPerson, makerMailbox, expiresAt }, end) {
      const ended = await database.query(
        `insert into proposal_ends (proposal_id, maker_kind, maker_id, maker_person, maker_mailbox, expires_at, kind, ended_at,
           actor_kind, actor_id, actor_name, person, mailbox, signature, act_id, detail)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
         on conflict (proposal_id) do nothing returning 1`,
        [
          proposalId,
          maker.kind,
          maker.id,
          makerPerson,
          makerMailbox,
          timestamp(expiresAt),
          end.kind,
          timestamp(end.at),
          end.actor.kind,
          end.actor.id,
          end.actor.name,
          end.person,
          end.mailbox,
          end.signature,
          end.actId,
          end.detail,
        ],
      );
      return ended.length > 0;
    },
  };
}

function readRecord(row: ProposalRow): ProposalRecord {
  return {
    proposal: {
      proposalId: row.proposal_id,
      team: row.team,
      act: row.act,
      object: row.object,
      content: row.content,
      hash: row.hash,
      reason: row.reason,
      maker: { kind: row.maker_kind, id: row.maker_id, name: row.maker_name },
      makerPerson: row.maker_person,
      makerMailbox: row.maker_mailbox,
      makerCredentials: row.maker_credentials,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
    },
    end: row.kind && {
      kind: row.kind,
      at: row.ended_at,
      person: row.person,
      mailbox: row.mailbox,
      actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
      signature: row.signature,
      actId: row.act_id,
      detail: row.detail,
    },
  };
}
