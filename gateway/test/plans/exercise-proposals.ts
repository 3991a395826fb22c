/** Runs every statement about policies and proposals. */
import { createHash } from 'node:crypto';
import type { Database } from '../../src/storage/core/database.ts';
import { createPolicyStore } from '../../src/storage/proposals/policy-store.ts';
import { createProposalStore } from '../../src/storage/proposals/proposal-store.ts';

const FAR = Date.UTC(2100, 0, 1);

export async function exerciseProposals(database: Database): Promise<void> {
  const policies = createPolicyStore(database);
  const rule = { act: 'funds.credit', currency: 'EUR', above: 100n, merchantId: 'M1' } as const;
  await policies.replace('M1', [rule], () => true);
  await policies.list('M1');
  await policies.binding('funds.credit', { team: 'M1', actor: { kind: 'token', id: 'T1' }, people: ['H1'] });
  const proposals = createProposalStore(database);
  const maker = { kind: 'person', id: 'H1', name: 'ann@example.com' } as const;
  const of = { team: 'M1', act: 'funds.credit', object: 'merchants/M1', reason: null, maker };
  const person = { makerPerson: 'H1', makerMailbox: 'ann@example.com', makerCredentials: ['K1'] };
  const hash = createHash('sha256').update('{}').digest();
  const proposal = { proposalId: 'R1', ...of, ...person, content: '{}', hash, createdAt: 1, expiresAt: FAR };
  await proposals.add(proposal);
  const who = { actor: maker, person: 'H1', mailbox: '', signature: null, actId: null, detail: '' };
  await proposals.end(proposal, { kind: 'withdrawn', at: 2, ...who });
  await proposals.find('R1');
  await proposals.about('M1', ['merchants/M1/payouts/P1']);
  for (const openAt of [null, 3]) await proposals.list({ team: 'M1', maker, openAt, before: null, limit: 50 });
}
