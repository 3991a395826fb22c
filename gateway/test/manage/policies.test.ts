/** Policies over the management API: which operations need a second person. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Policy } from '../../contract/endpoints/policies.ts';
import { createCallApi } from '../../src/cli/manage-api.ts';
import type { RunningGateway } from '../support/gateway/running-gateway.ts';
import { clientWith, type ManageClient, manageClient } from '../support/people/manage-client.ts';
import { addPerson, signIn, type TestPerson } from '../support/people/test-person.ts';
import { approve, named, openTwoPeople, proposalOf, setRules, type TwoPeople } from './two-people.ts';

let gateway: RunningGateway;
let maker: TestPerson;
let checker: TestPerson;
let token: ManageClient;
let merchantId: string;
let credit: TwoPeople['credit'];
let available: TwoPeople['available'];
before(async () => {
  const stage = await openTwoPeople();
  ({ gateway, maker, checker, token, merchantId, credit, available } = stage);
});
after(() => gateway.verifyAndStop());

describe('a policy', () => {
  it('only an action above the amount of a policy returns 202 without an effect', async () => {
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

  it('a policy applies to the cancellation of a payout according to the money that it releases', async () => {
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

  it('a command with a token reports that its action was not executed when a policy applies to it', async () => {
    const program = await manageClient(gateway, { scopes: ['funds:write'] });
    const send = async () => {
      const { status, json } = await program.call('funds.credit', credit('700.00'));
      return { status, entityTag: null, text: JSON.stringify(json()) };
    };
    const command = createCallApi(async () => ({ send, download: send, newKey: () => 'x' }));
    await assert.rejects(command('funds.credit', credit('700.00')), /The action was not executed: a second person/);
  });

  const OWN_RULE: Policy = { act: 'policies.set', currency: null, above: null, merchantId: null };
  const currentRules = async () => (await maker.call('policies.list')).value().items;

  it('a policy with a meaningless rule is rejected', async () => {
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

  it('a change of a policy needs a second person once a rule requires it', async () => {
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

  it('a merchant’s policy applies to the merchant’s users, and only they may change it', async () => {
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
      assert.match((await maker.confirm('policies.set', set)).problem().detail, /Only merchant users/, team);
    }
  });
});

describe('a policy of the operator', () => {
  const rule = { currency: null, above: null, merchantId: null };

  it('a rule about one merchant applies to actions on that merchant and to actions that concern every merchant', async () => {
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

  it('an operator’s rule applies to operator users at a merchant, through their tokens and roles there', async () => {
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
    assert.match((await approve(maker, proposal)).problem().detail, /your account, email address or passkey/);
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
