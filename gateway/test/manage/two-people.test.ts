/** Two people over the management API: policies, proposals, and who may decide about them. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Policy } from '../../contract/policies.ts';
import type { Proposal } from '../../contract/proposals.ts';
import { createCallApi } from '../../src/cli/manage-api.ts';
import { systemClock } from '../../src/foundation/clock.ts';
import { clientWith, forgetEnd, type ManageAnswer, type ManageClient, manageClient } from '../support/manage-client.ts';
import { type RunningGateway, startGateway } from '../support/running-gateway.ts';
import { addPerson, proofOf, signIn, type TestPerson, writeProof } from '../support/test-person.ts';

const HOUR = 3_600_000;
let offset = 0;
let gateway: RunningGateway;
let maker: TestPerson;
let checker: TestPerson;
let token: ManageClient;
let merchantId: string;
before(async () => {
  gateway = await startGateway({ clock: { ...systemClock, now: () => systemClock.now() + offset } });
  maker = await addPerson(gateway, 'administrator', { email: 'maker@example.com' });
  checker = await addPerson(gateway, 'administrator', { email: 'checker@example.com' });
  merchantId = (await gateway.merchant({ funds: {} })).id;
  token = await manageClient(gateway);
  await setRules(maker, [
    { act: 'funds.credit', currency: 'EUR', above: '100', merchantId: null },
    { act: 'keys.rotate', currency: null, above: null, merchantId: null },
  ]);
});
after(() => gateway.verifyAndStop());

async function setRules(person: TestPerson, items: Policy[]) {
  const etag = (await person.call('policies.list')).headers.get('etag') ?? '';
  return person.confirm('policies.set', {
    body: { items, reason: 'the board decided' },
    headers: { 'if-match': etag },
  });
}

let references = 0;
const credit = (amount: string, of = merchantId) => ({
  params: { merchantId: of },
  body: { amount, currency: 'EUR', reference: `two-${++references}`, reason: 'a transfer arrived' },
});

function proposalOf({ status, json }: Pick<ManageAnswer<never>, 'status' | 'json'>): Proposal {
  assert.equal(status, 202, JSON.stringify(json()));
  return json() as Proposal;
}

const named = ({ proposalId }: Proposal) => ({ params: { proposalId } });
const approve = (person: TestPerson, proposal: Proposal, hash = proposal.hash) =>
  person.confirm('proposals.approve', { ...named(proposal), body: { hash } });

async function available(of = merchantId): Promise<string | undefined> {
  const { balances } = (await token.call('merchants.show', { params: { merchantId: of } })).value();
  return balances.find(({ currency }) => currency === 'EUR')?.available;
}

async function proposeCredit(amount = '150.00', of = merchantId): Promise<Proposal> {
  return proposalOf(await maker.confirm('funds.credit', credit(amount, of)));
}

describe('a policy', () => {
  it('a policy binds acts above its amount only, and a bound act answers 202 and changes nothing', async () => {
    const { id } = await gateway.merchant({ funds: {} });
    assert.equal((await maker.confirm('funds.credit', credit('100.00', id))).value().posted, true);
    const proposal = proposalOf(await maker.confirm('funds.credit', credit('100.01', id)));
    assert.deepEqual(
      [proposal.state, proposal.act, proposal.rehearsal.balances[0]?.available],
      ['open', 'funds.credit', '200.01'],
    );
    assert.equal(createHash('sha256').update(proposal.content).digest('hex'), proposal.hash);
    assert.equal(await available(id), '100.00');
    assert.equal((await maker.confirm('funds.credit', { ...credit('0.00', id) })).status, 400);
  });

  it('a policy binds the cancellation of a payout by the money that it releases', async () => {
    const merchant = await gateway.merchant({ settings: { 'approval_above.UAH': '1.00' } });
    await merchant.pay(1, 'waits', { amount: '10.00' });
    const rules = (await maker.call('policies.list')).value().items;
    await setRules(maker, [...rules, { act: 'payouts.cancel', currency: 'UAH', above: '5.00', merchantId: null }]);
    const cancel = { params: { merchantId: merchant.id, payoutId: 'waits' }, body: { reason: 'ordered twice' } };
    const { rehearsal, proposalId } = proposalOf(await token.call('payouts.cancel', cancel));
    const { related } = (await token.call('payouts.show', { params: cancel.params })).value();
    assert.deepEqual(
      related.map(({ kind, id, state }) => [kind, id, state]),
      [['proposal', proposalId, 'open']],
    );
    const own = await manageClient(gateway, { merchantId: merchant.id });
    assert.deepEqual((await own.call('payouts.show', { params: cancel.params })).value().related, []);
    assert.deepEqual(
      rehearsal.postings.map(({ kind, amount }) => [kind, amount]),
      [['release', '10.00']],
    );
    await setRules(maker, rules);
  });

  it('a policy makes a command with a token report that nothing has changed', async () => {
    const program = await manageClient(gateway, { scopes: ['funds:write'] });
    const send = async () => {
      const { status, json } = await program.call('funds.credit', credit('700.00'));
      return { status, entityTag: null, text: JSON.stringify(json()) };
    };
    const command = createCallApi(async () => ({ send, download: send, newKey: () => 'x' }));
    await assert.rejects(command('funds.credit', credit('700.00')), /Nothing has changed yet: a second person/);
  });

  const OWN_RULE: Policy = { act: 'policies.set', currency: null, above: null, merchantId: null };
  const currentRules = async () => (await maker.call('policies.list')).value().items;

  it('a policy with a rule without a meaning is rejected', async () => {
    for (const [field, change] of [
      ['act', { act: 'payouts.ask' }],
      ['currency', { currency: 'EUR' }],
      ['currency', { above: '1.00' }],
    ] as const)
      assert.equal((await setRules(maker, [{ ...OWN_RULE, ...change }])).problem().field, `/items/0/${field}`);
  });

  it('a policy is not changed under an old If-Match', async () => {
    const body = { items: await currentRules(), reason: 'x' };
    const stale = await maker.confirm('policies.set', { body, headers: { 'if-match': '"old"' } });
    assert.match(stale.problem().type, /#changed-meanwhile$/);
  });

  it('a policy binds its own change once a rule says so', async () => {
    const rules = await currentRules();
    assert.equal((await setRules(maker, [...rules, OWN_RULE])).status, 200);
    const proposal = proposalOf(await setRules(maker, rules));
    assert.equal((await currentRules()).length, rules.length + 1);
    const outdated = proposalOf(await setRules(maker, []));
    assert.equal((await approve(checker, proposal)).value().proposal.state, 'executed');
    assert.deepEqual(await currentRules(), rules);
    assert.equal((await approve(checker, outdated)).value().proposal.state, 'void');
    assert.deepEqual(await currentRules(), rules);
  });

  it('a policy of a merchant binds the merchant’s own people, who alone may change it', async () => {
    const owner = await addPerson(gateway, 'owner', { merchantId, email: 'owner@example.com' });
    const other = await addPerson(gateway, 'owner', { merchantId, email: 'other-owner@example.com' });
    const rule: Policy = { act: 'merchants.edit', currency: null, above: null, merchantId: null };
    assert.equal((await setRules(owner, [rule])).status, 200);
    const etag = (await owner.call('merchants.show', { params: { merchantId } })).headers.get('etag') ?? '';
    const edit = { params: { merchantId }, body: { name: 'Renamed' }, headers: { 'if-match': etag } };
    const proposal = proposalOf(await owner.confirm('merchants.edit', edit));
    assert.equal((await approve(checker, proposal)).status, 404);
    assert.equal((await checker.call('proposals.list', { query: { merchantId } })).value().items.length, 1);
    assert.equal((await approve(other, proposal)).value().proposal.state, 'executed');
    for (const team of [merchantId, 'operator']) {
      const set = { query: { merchantId: team }, body: { items: [], reason: 'x' }, headers: { 'if-match': '"x"' } };
      assert.match((await maker.confirm('policies.set', set)).problem().detail, /own people/, team);
    }
  });
});

describe('a policy of the operator', () => {
  const rule = { currency: null, above: null, merchantId: null };

  it('a rule about one merchant binds acts on that merchant and acts that concern every merchant', async () => {
    const { id } = await gateway.merchant({ funds: {} });
    const pause = (scope: string, target: string) => ({ params: { scope, target }, body: { reason: 'a doubt' } });
    assert.equal((await maker.call('pauses.pause', pause('merchant', id))).status, 200);
    const rules = (await maker.call('policies.list')).value().items;
    const bound = ['pauses.pause', 'pauses.resume', 'routes.set'].map((act) => ({ ...rule, act, merchantId: id }));
    assert.equal((await setRules(maker, [...rules, ...bound])).status, 200);
    const etag = (await maker.call('routes.list')).headers.get('etag') ?? '';
    const route = (of?: string) => ({
      params: { method: '70', rail: 'sandbox' },
      body: { rank: 9 },
      headers: { 'if-match': etag },
      query: of === undefined ? {} : { merchantId: of },
    });
    assert.equal((await maker.call('pauses.pause', pause('merchant', merchantId))).status, 200);
    assert.equal(
      (await maker.call('pauses.resume', { params: { scope: 'merchant', target: merchantId } })).status,
      200,
    );
    proposalOf(await maker.call('pauses.resume', { params: { scope: 'merchant', target: id } }));
    proposalOf(await maker.call('pauses.pause', pause('method', '9')));
    proposalOf(await maker.confirm('routes.set', route(id)));
    proposalOf(await maker.confirm('routes.set', route()));
    assert.notEqual((await maker.confirm('routes.set', route(merchantId))).status, 202);
    await setRules(maker, rules);
  });

  it('a rule of the operator binds its people at a merchant, by their tokens and roles there', async () => {
    const { id } = await gateway.merchant({ funds: {} });
    const rotate = { params: { merchantId: id }, body: {} };
    const issued = await maker.confirm('tokens.create', {
      query: { merchantId: id },
      body: { name: 'of the merchant', scopes: ['keys:write', 'proposals:read'] },
    });
    const program = clientWith(gateway.manageUrl, issued.value().secret);
    const mistaken = proposalOf(await program.call('keys.rotate', rotate));
    assert.equal((await program.call('proposals.show', named(mistaken))).value().state, 'open');
    const stranger = await manageClient(gateway, { merchantId: id });
    const listedTo = async (caller: typeof program) =>
      (await caller.call('proposals.list')).value().items.map(({ proposalId }) => proposalId);
    assert.deepEqual([await listedTo(program), await listedTo(stranger)], [[mistaken.proposalId], []]);
    assert.equal((await program.call('proposals.withdraw', named(mistaken))).value().state, 'withdrawn');
    for (const act of ['proposals.show', 'proposals.withdraw'] as const)
      assert.equal((await stranger.call(act, named(mistaken))).status, 404);
    const proposal = proposalOf(await program.call('keys.rotate', rotate));
    assert.match((await approve(maker, proposal)).problem().detail, /same person/);
    assert.equal((await approve(checker, proposal)).value().proposal.state, 'executed');
    const invited = await gateway.operations.people.invite({ email: maker.email, merchantId: id, role: 'owner' });
    assert.ok(invited.ok);
    const secret = invited.value.link.reveal().split('#')[1] ?? '';
    const both = await signIn(gateway, maker);
    (await both.call('links.join', { body: { secret } })).value();
    (await both.call('session.switch', { body: { merchantId: id } })).value();
    const second = proposalOf(await both.confirm('keys.rotate', rotate));
    assert.equal((await approve(checker, second)).value().proposal.state, 'executed');
    const owner = await addPerson(gateway, 'owner', { merchantId: id, email: 'no-operator@example.com' });
    assert.equal((await owner.confirm('keys.rotate', rotate)).status, 200);
  });
});

describe('a proposal', () => {
  it('a proposal is executed once by the approval of another person, with one act of its maker in the audit log', async () => {
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

  it('a proposal is decided neither by its maker (the same person, e-mail address or token) nor without the permission', async () => {
    const proposal = await proposeCredit();
    assert.match((await approve(maker, proposal)).problem().detail, /same person/);
    const alias = await addPerson(gateway, 'administrator', { email: 'maker+alias@example.com' });
    assert.match((await approve(alias, proposal)).problem().detail, /same person/);
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

  it('a proposal of a token belongs to the person who created the token', async () => {
    const issued = await maker.confirm('tokens.create', {
      body: { name: 'mine', scopes: ['funds:write', 'proposals:read'] },
    });
    const program = clientWith(gateway.manageUrl, issued.value().secret);
    const proposal = proposalOf(await program.call('funds.credit', credit('500.00')));
    assert.equal(proposal.maker.kind, 'token');
    assert.match((await approve(maker, proposal)).problem().detail, /same person/);
    assert.equal((await program.call('proposals.withdraw', named(proposal))).value().state, 'withdrawn');
    assert.match((await approve(checker, proposal)).problem().detail, /has ended/);
  });

  it('a proposal needs the signature of exactly its content, by a passkey where the person has one', async () => {
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
    const refused = await checker.confirm('proposals.refuse', {
      ...named(proposal),
      body: { ...body, reason: 'not ours' },
    });
    assert.deepEqual([refused.value().state, refused.value().end?.detail], ['refused', 'not ours']);
  });

  it('a proposal expires after three days, and nobody decides about it afterwards', async () => {
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

  it('a proposal is void if its act would do something else than at its dry run', async () => {
    const { id } = await gateway.merchant({ funds: {} });
    const call = credit('300.00', id);
    const proposal = proposalOf(await maker.confirm('funds.credit', call));
    const money = { currency: 'EUR', minor: 30_000n } as const;
    const same = await gateway.operations.moveFunds('credit', id, money, call.body.reference, 'by hand');
    assert.ok(same.ok);
    await assertVoid(proposal, /differ from its dry run/);
    assert.equal(await available(id), '300.00');
  });

  it('a proposal keeps no secret, and shows a generated one once to the person who approved', async () => {
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

  it('a proposal of an act that ends credentials, keys or a token is executed like any other', async () => {
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

  it('a proposal is not executed again when its approving process died after the act', async () => {
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
