/** Proposals over the management API, and who may decide on them. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Proposal } from '../../contract/endpoints/proposals.ts';
import { systemClock } from '../../src/foundation/clock.ts';
import type { RunningGateway } from '../support/gateway/running-gateway.ts';
import { clientWith, forgetEnd, type ManageClient } from '../support/people/manage-client.ts';
import { addPerson, proofOf, signIn, type TestPerson, writeProof } from '../support/people/test-person.ts';
import { approve, named, openTwoPeople, proposalOf, setRules, type TwoPeople } from './two-people.ts';

let gateway: RunningGateway;
let maker: TestPerson;
let checker: TestPerson;
let token: ManageClient;
let merchantId: string;
let credit: TwoPeople['credit'];
let available: TwoPeople['available'];
let proposeCredit: TwoPeople['proposeCredit'];
const HOUR = 3_600_000;
let offset = 0;
before(async () => {
  const stage = await openTwoPeople({ ...systemClock, now: () => systemClock.now() + offset });
  ({ gateway, maker, checker, token, merchantId, credit, available, proposeCredit } = stage);
});
after(() => gateway.verifyAndStop());

describe('a proposal', () => {
  it('a second person’s approval executes a proposal once, with one action of its maker in the audit log', async () => {
    const { id } = await gateway.merchant({ funds: {} });
    const proposal = await proposeCredit('150.00', id);
    const third = await addPerson(gateway, 'approver', { email: 'third@example.com' });
    const answers = await Promise.all([approve(checker, proposal), approve(third, proposal)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    const done = answers.find(({ status }) => status === 200)?.value();
    assert.equal((done?.answer as { posted: boolean } | null)?.posted, true);
    assert.equal(await available(id), '150.00');
    const { items } = (
      await token.call('audit.list', { query: { object: `merchants/${id}`, act: 'funds.credit' } })
    ).value();
    const acts = items.filter(({ phase }) => phase === 'done');
    assert.deepEqual(
      acts.map(({ actor, reason }) => [actor.name, reason]),
      [['maker@example.com', 'a transfer arrived']],
    );
    const proposed = (await token.call('audit.list', { query: { act: 'proposals.create' } })).value().items;
    assert.ok(proposed.some(({ object }) => object === `proposals/${proposal.proposalId}`));
  });

  it('neither the maker of a proposal (same user, email address or token) nor a user without the permission can decide on it', async () => {
    const proposal = await proposeCredit();
    assert.match((await approve(maker, proposal)).problem().detail, /your account, email address or passkey/);
    const alias = await addPerson(gateway, 'administrator', { email: 'maker+alias@example.com' });
    assert.match((await approve(alias, proposal)).problem().detail, /your account, email address or passkey/);
    const treasury = await addPerson(gateway, 'treasury', { email: 'treasury@example.com' });
    assert.equal(
      (await treasury.call('proposals.approve', { ...named(proposal), body: { hash: proposal.hash } })).status,
      403,
    );
    assert.equal(
      (await token.call('proposals.approve', { ...named(proposal), body: { hash: proposal.hash } })).status,
      403,
    );
    const columns = `proposal_id, kind, ended_at, maker_kind, maker_id, maker_person, maker_mailbox, expires_at, actor_kind,
      actor_id, actor_name, person, mailbox, signature, act_id, detail`;
    const forged = gateway.database.pool.query(
      `insert into proposal_ends (${columns}) select proposal_id, 'executed', created_at, maker_kind, maker_id, maker_person,
         maker_mailbox, expires_at, maker_kind, maker_id, maker_name, maker_person, 'x', '{}', 'forged', ''
       from proposals where proposal_id = $1`,
      [proposal.proposalId],
    );
    await assert.rejects(forged, /maker_is_not_checker/);
    assert.equal((await checker.call('proposals.show', named(proposal))).value().state, 'open');
  });

  it('a proposal made by a token belongs to the user who created the token', async () => {
    const issued = await maker.confirm('tokens.create', {
      body: { name: 'mine', scopes: ['funds:write', 'proposals:read'] },
    });
    const program = clientWith(gateway.manageUrl, issued.value().secret);
    const proposal = proposalOf(await program.call('funds.credit', credit('500.00')));
    assert.equal(proposal.maker.kind, 'token');
    assert.match((await approve(maker, proposal)).problem().detail, /your account, email address or passkey/);
    assert.equal((await program.call('proposals.withdraw', named(proposal))).value().state, 'withdrawn');
    assert.match((await approve(checker, proposal)).problem().detail, /already final/);
  });

  it('an approval needs a signature of exactly the proposal’s content, with a passkey if the user has one', async () => {
    const proposal = await proposeCredit();
    const body = { hash: proposal.hash };
    assert.match(
      (await checker.call('proposals.approve', { ...named(proposal), body })).problem().type,
      /#step-up-required$/,
    );
    const other = await proposeCredit();
    const header = await proofOf(checker, checker.passkey, 'proposals.approve', {
      ...named(other),
      body: { hash: other.hash },
    });
    const headers = { 'step-up': header };
    assert.match(
      (await checker.call('proposals.approve', { ...named(proposal), body, headers })).problem().detail,
      /another act/,
    );
    const code = { 'step-up': writeProof({ code: '123456' }) };
    assert.match(
      (await checker.call('proposals.approve', { ...named(proposal), body, headers: code })).problem().detail,
      /passkey/,
    );
    assert.match((await approve(checker, proposal, 'a'.repeat(64))).problem().type, /#changed-meanwhile$/);
    const rejected = await checker.confirm('proposals.reject', {
      ...named(proposal),
      body: { ...body, reason: 'not ours' },
    });
    assert.deepEqual([rejected.value().state, rejected.value().end?.detail], ['rejected', 'not ours']);
  });

  it('a proposal expires after three days, and a later decision is rejected', async () => {
    const proposal = await proposeCredit();
    offset += 72 * HOUR;
    try {
      const later = await signIn(gateway, checker);
      assert.equal((await later.call('proposals.show', named(proposal))).value().state, 'expired');
      assert.match((await approve(later, proposal)).problem().detail, /has expired/);
    } finally {
      offset -= 72 * HOUR;
    }
  });

  async function assertVoid(proposal: Proposal, reason: RegExp): Promise<void> {
    const { proposal: ended, answer } = (await approve(checker, proposal)).value();
    assert.deepEqual([ended.state, answer], ['void', null]);
    assert.match(ended.end?.detail ?? '', reason);
  }

  it('a proposal is void if its maker left', async () => {
    const leaver = await addPerson(gateway, 'treasury', { email: 'leaver@example.com' });
    const proposal = proposalOf(await leaver.confirm('funds.credit', credit('300.00')));
    await checker.confirm('people.remove', { params: { personId: leaver.personId }, body: { reason: 'left' } });
    await assertVoid(proposal, /no longer in the team/);
  });

  it('a proposal is void if its maker lost the permission', async () => {
    const lowered = await addPerson(gateway, 'treasury', { email: 'lowered@example.com' });
    const proposal = proposalOf(await lowered.confirm('funds.credit', credit('200.00')));
    const to = { role: 'auditor', reason: 'moved' };
    (await checker.confirm('people.setRole', { params: { personId: lowered.personId }, body: to })).value();
    await assertVoid(proposal, /no longer has the permission/);
  });

  it('a proposal is void if its action would have an effect other than in its dry run', async () => {
    const { id } = await gateway.merchant({ funds: {} });
    const call = credit('300.00', id);
    const proposal = proposalOf(await maker.confirm('funds.credit', call));
    const money = { currency: 'EUR', minor: 30_000n } as const;
    const same = await gateway.operations.funds.move('credit', id, money, call.body.reference, 'by hand');
    assert.ok(same.ok);
    await assertVoid(proposal, /differ from its dry run/);
    assert.equal(await available(id), '300.00');
  });

  it('a proposal does not store a secret, and shows a generated secret once to its approver', async () => {
    const rotate = (body: object) => maker.confirm('keys.rotate', { params: { merchantId }, body });
    assert.equal((await rotate({ key: 'a-chosen-key-of-the-merchant-0123456789' })).problem().field, '/key');
    const proposal = proposalOf(await rotate({}));
    const call = { ...named(proposal), body: { hash: proposal.hash } };
    const headers = { 'step-up': await proofOf(checker, checker.passkey, 'proposals.approve', call) };
    const answer = await checker.call('proposals.approve', { ...call, headers, key: 'rotate-approved' });
    assert.match((answer.value().answer as { key: string }).key, /^[A-Za-z0-9]{43,}$/);
    const again = { 'step-up': await proofOf(checker, checker.passkey, 'proposals.approve', call) };
    const repeated = await checker.call('proposals.approve', { ...call, headers: again, key: 'rotate-approved' });
    assert.match(repeated.problem().type, /#secret-not-kept$/);
  });

  it('a proposal of an action that ends credentials, keys or a token is executed like any other', async () => {
    const acts = ['people.reset', 'tokens.revoke', 'statementKeys.rotate', 'vault.rotate'] as const;
    const rules = (await maker.call('policies.list')).value().items;
    const bound = acts.map((act) => ({ act, currency: null, above: null, merchantId: null }));
    assert.equal((await setRules(maker, [...rules, ...bound])).status, 200);
    const { tokenId } = (await maker.confirm('tokens.create', { body: { name: 'x', scopes: ['rails:read'] } })).value()
      .token;
    const lost = await addPerson(gateway, 'auditor', { email: 'lost@example.com' });
    const reset = { params: { personId: lost.personId }, body: { reason: 'lost everything' } };
    const proposals = [
      proposalOf(await maker.confirm('people.reset', reset)),
      proposalOf(await maker.call('tokens.revoke', { params: { tokenId } })),
      proposalOf(await maker.call('statementKeys.rotate')),
      proposalOf(await maker.confirm('vault.rotate')),
    ];
    for (const proposal of proposals)
      assert.equal((await approve(checker, proposal)).value().proposal.state, 'executed', proposal.act);
    const revoked = (await maker.call('tokens.list')).value().items.find((each) => each.tokenId === tokenId);
    assert.notEqual(revoked?.revokedAt, null);
    assert.equal((await setRules(maker, rules)).status, 200);
  });

  it('a proposal is not executed again when its approving process died after the action', async () => {
    const { id } = await gateway.merchant({ funds: {} });
    const proposal = await proposeCredit('200.00', id);
    const call = { ...named(proposal), body: { hash: proposal.hash } };
    for (const round of [1, 2]) {
      const headers = { 'step-up': await proofOf(checker, checker.passkey, 'proposals.approve', call) };
      const answer = await checker.call('proposals.approve', { ...call, headers, key: 'died-afterwards' });
      assert.equal(answer.value().proposal.state, 'executed');
      if (round === 1) await forgetEnd(gateway.database.pool, 'died-afterwards');
    }
    assert.equal(await available(id), '200.00');
  });
});
