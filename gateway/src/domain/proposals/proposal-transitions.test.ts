/** The table of proposals against the database, which stores each end. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, it } from 'node:test';
import { createTestDatabase } from '../../../test/support/postgres/postgres.ts';
import { openDatabase } from '../../storage/core/database.ts';
import { createProposalStore } from '../../storage/proposals/proposal-store.ts';
import {
  PROPOSAL_END_KINDS,
  PROPOSAL_STATES,
  type Proposal,
  type ProposalEnd,
  type ProposalEndKind,
  type ProposalState,
} from './proposal.ts';
import { PROPOSAL_TRANSITIONS, stateOfProposal } from './proposal-transitions.ts';

const CREATED_AT = Date.UTC(2026, 10, 20, 10);
const EXPIRES_AT = CREATED_AT + 1_000;
const MAKER = { kind: 'person', id: 'P1', name: 'ann@example.com' } as const;
const CHECKER = { kind: 'person', id: 'P2', name: 'ben@example.com' } as const;

const database = await createTestDatabase();
const pool = openDatabase(database.config, { poolSize: 1 });
const store = createProposalStore(pool);
after(async () => {
  await pool.close();
  await database.close();
});

function proposalNamed(proposalId: string): Proposal {
  const content = '{}';
  return {
    proposalId,
    team: 'M1',
    act: 'funds.credit',
    object: 'merchants/M1',
    content,
    hash: createHash('sha256').update(content).digest(),
    reason: null,
    maker: MAKER,
    makerPerson: MAKER.id,
    makerMailbox: MAKER.name,
    makerCredentials: [],
    createdAt: CREATED_AT,
    expiresAt: EXPIRES_AT,
  };
}

function endOf(proposalId: string, kind: ProposalEndKind, at: number): ProposalEnd {
  const by = kind === 'withdrawn' ? MAKER : CHECKER;
  const actId = kind === 'executed' ? `act of ${proposalId}` : null;
  return { kind, at, actor: by, person: by.id, mailbox: by.name, signature: '{}', actId, detail: '' };
}

async function proposalIn(state: ProposalState, proposalId: string): Promise<Proposal> {
  const proposal = proposalNamed(proposalId);
  await store.add(proposal);
  const kind = PROPOSAL_END_KINDS.find((each) => each === state);
  if (kind) assert.ok(await store.end(proposal, endOf(proposalId, kind, CREATED_AT)));
  return proposal;
}

async function stateAt(proposalId: string, now: number): Promise<ProposalState | undefined> {
  const record = await store.find(proposalId);
  return record && stateOfProposal(record, now);
}

for (const state of PROPOSAL_STATES) {
  it(`a decision about a proposal in the state ${state} has the effect of the transition table`, async () => {
    const isExpired = state === 'expired';
    const now = isExpired ? EXPIRES_AT : CREATED_AT + 1;
    const row: Readonly<Record<string, ProposalState>> = PROPOSAL_TRANSITIONS[state];
    for (const [event, kind] of Object.entries(PROPOSAL_TRANSITIONS.open)) {
      if (kind === 'expired') continue;
      const proposal = await proposalIn(state, `${state} ${event}`);
      assert.equal(await stateAt(proposal.proposalId, now), state);
      const deciding = store.end(proposal, endOf(proposal.proposalId, kind, now));
      if (isExpired) await assert.rejects(deciding, /ends_before_it_expires/);
      else assert.equal(await deciding, event in row, `${state} ${event}`);
      assert.equal(await stateAt(proposal.proposalId, now), row[event] ?? state, `${state} ${event}`);
    }
  });

  it(`time expires only an open proposal, not one in the state ${state}`, async () => {
    const row: Readonly<Record<string, ProposalState>> = PROPOSAL_TRANSITIONS[state];
    const { proposalId } = await proposalIn(state, `${state} at its deadline`);
    assert.equal(await stateAt(proposalId, EXPIRES_AT - 1), state === 'expired' ? 'open' : state);
    assert.equal(await stateAt(proposalId, EXPIRES_AT), row['expired'] ?? state);
  });
}

it('a transition leads from open to each other state of a proposal, and none leaves an ended proposal', () => {
  const { open, ...ended } = PROPOSAL_TRANSITIONS;
  assert.deepEqual([...Object.values(open), 'open'].sort(), [...PROPOSAL_STATES].sort());
  for (const [state, row] of Object.entries(ended)) assert.deepEqual(row, {}, state);
});
