/**
 * Every action that a policy can bind, by every kind of caller that may perform it, under every scope of a policy. Each must
 * become a proposal, or a payout that waits. A new action needs a row in `stageActs`.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ENDPOINTS, type EndpointName } from '../../contract/endpoints.ts';
import { canBeBound, type Endpoint } from '../../contract/parts/endpoint.ts';
import { SCOPE_NAMES } from '../../contract/permissions.ts';
import { OPERATOR_MERCHANT } from '../../src/domain/merchants/merchant.ts';
import type { Policy } from '../../src/domain/proposals/policy.ts';
import type { Currency } from '../../src/foundation/currency.ts';
import type { TestMerchant } from '../support/merchants/test-merchant.ts';
import { clientWith, type ManageCall, type ManageClient, manageClient } from '../support/people/manage-client.ts';
import { ASKING, checkedBatch, type OutsideWorld, openOutsideWorld, reason } from '../support/people/outside-world.ts';
import { addPerson, secretOfLink, signIn, type TestPerson } from '../support/people/test-person.ts';
import { until } from '../support/tools/until.ts';

type Call = Pick<ManageCall<never>, 'params' | 'query' | 'body'>;
type Act = Call & {
  /** The read whose ETag `If-Match` must contain. */
  readonly read?: EndpointName;
  /** The merchant that the action concerns, if it is a different one. */
  readonly concerns?: string;
  /** The currency that the action posts. */
  readonly moves?: Currency;
};

const BINDABLE = Object.entries(ENDPOINTS as Readonly<Record<string, Endpoint>>)
  .filter(([, endpoint]) => canBeBound(endpoint))
  .map(([name]) => name as EndpointName);

const merchantId = 'BOUND';
const own = { merchantId };
const card = (amount: string) => ({ account: '4111111111111111', amount, currency: 'UAH' });

let world: OutsideWorld;
let acts: Readonly<Record<string, Act>>;
let callers: Readonly<Record<string, Readonly<Record<string, ManageClient | TestPerson>>>>;

before(async () => {
  world = await openOutsideWorld();
  acts = await stageActs(await world.newMerchant(world.bearer(await commandLineToken()), merchantId));
  callers = { [OPERATOR_MERCHANT]: await callersOfOperator(), [merchantId]: await callersOfMerchant() };
});
after(() => world.close());

async function commandLineToken(): Promise<string> {
  const order = { name: 'operate', merchantId: null, scopes: SCOPE_NAMES, days: 1 };
  const issued = await world.gateway.operations.tokens.issue(order);
  assert.ok(issued.ok);
  return issued.value.secret.reveal();
}

/** Returns each action with a request that would succeed. */
async function stageActs(shop: TestMerchant): Promise<Readonly<Record<string, Act>>> {
  const { gateway } = world;
  const { pool } = gateway.database;
  const operator = world.bearer(await commandLineToken());
  await world.newMerchant(operator, 'SUSPENDED');
  await operator.do('merchants.suspend', { merchantId: 'SUSPENDED' });
  await operator.do('merchants.show', own);
  await operator.do('merchants.edit', { ...own, settings: { 'approval_above.UAH': '50.00' } });
  await until('the threshold is known', async () => {
    const checked = await operator.do('payouts.check', { ...own, method: 1, fields: card('60.00') });
    return checked.needsApproval !== null;
  });
  const waits = await operator.do('payouts.create', { ...own, method: 1, fields: card('60.00') });
  await shop.pay(1, 'final');
  await shop.final('final');
  const [held, other] = [
    await world.heldTransfer(operator, shop, 'h1'),
    await world.heldTransfer(operator, shop, 'h2'),
  ];
  const paid = await world.payByCard(operator, merchantId, 'card1');
  const open = await world.payByCard(operator, merchantId, 'card2', ASKING);
  await pool.query('update payment_attempts set send_until = now() where transaction_id = $1', [open]);
  await pool.query(
    `insert into differences (rail, day, kind, subject, ours, theirs, found_at) values ('stp', '2026-11-20', 'amount', 'X', '1', '2', now())`,
  );
  await operator.do('pauses.pause', { scope: 'method', target: '70', reason });
  await operator.do('routes.list');
  await operator.do('routes.set', { method: '70', rail: 'sandbox', rank: 1 });
  const guest = await addPerson(gateway, 'viewer', { merchantId, email: 'guest@example.com' });
  const colleague = await addPerson(gateway, 'auditor', { email: 'colleague@example.com' });
  const { token } = await operator.do('tokens.create', { ...own, name: 'x', scopes: ['payouts:read'], days: 1 });
  const batchId = await checkedBatch(operator, merchantId);
  const keyOf = ({ rail, transferKey }: { rail: string; transferKey: string }) => ({ rail, transferKey });
  const ofWaiting = { ...own, payoutId: waits.payoutId };
  return {
    'merchants.create': { body: { merchantId: 'CREATED' }, concerns: 'CREATED' },
    'merchants.edit': { params: own, body: { name: 'Renamed' }, read: 'merchants.show' },
    'merchants.activate': { params: { merchantId: 'SUSPENDED' }, concerns: 'SUSPENDED' },
    'merchants.suspend': { params: own },
    'keys.rotate': { params: own, body: {} },
    'funds.credit': { params: own, body: { amount: '9.00', currency: 'EUR', reference: 'c', reason }, moves: 'EUR' },
    'funds.debit': { params: own, body: { amount: '9.00', currency: 'EUR', reference: 'd', reason }, moves: 'EUR' },
    'statementKeys.rotate': {},
    'payouts.cancel': { params: ofWaiting, body: { reason }, moves: 'UAH' },
    'payouts.resolve': {
      params: { ...own, payoutId: 'final' },
      body: { outcome: 'reversed', reason },
      moves: 'UAH',
    },
    'payouts.create': { params: own, body: { method: 1, fields: card('2.00') }, moves: 'UAH' },
    'batches.submit': { params: { ...own, batchId }, body: {} },
    'deposits.refund': {
      params: { ...own, transactionId: String(paid) },
      body: { amount: '1.00', reason },
      moves: 'EUR',
    },
    'deposits.endAttempts': { params: { ...own, transactionId: String(open) }, body: { reason } },
    'transfers.resolve': { params: keyOf(held), body: { reason }, moves: 'MXN' },
    'transfers.return': { params: keyOf(other), body: { reason }, moves: 'MXN' },
    'rails.setHours': { params: { rail: 'stp' }, body: { hours: null } },
    'rails.setThreshold': { params: { rail: 'stp', currency: 'MXN' }, body: { threshold: '5.00' } },
    'pauses.pause': { params: { scope: 'merchant', target: merchantId }, body: { reason } },
    'pauses.resume': { params: { scope: 'method', target: '70' } },
    'differences.resolve': {
      params: { rail: 'stp', day: '2026-11-20', kind: 'amount', subject: 'X' },
      body: { reason },
    },
    'routes.set': { params: { method: '70', rail: 'sandbox' }, query: own, body: { rank: 2 }, read: 'routes.list' },
    'routes.remove': { params: { method: '70', rail: 'sandbox' }, read: 'routes.list' },
    'recovery.begin': { body: { reason } },
    'recovery.complete': { body: { force: { reason } } },
    'recovery.release': { params: ofWaiting, body: { reason } },
    'recovery.notNeeded': { body: { reason } },
    'vault.rotate': {},
    'policies.set': { body: { items: [], reason }, read: 'policies.list' },
    'tokens.create': { query: own, body: { name: 'a program', scopes: ['payouts:read'] } },
    'tokens.revoke': { params: { tokenId: token.tokenId } },
    'people.setRole': { params: { personId: guest.personId }, query: own, body: { role: 'support', reason } },
    'people.remove': { params: { personId: guest.personId }, query: own, body: { reason } },
    'people.reset': { params: { personId: colleague.personId }, body: { reason } },
    'invitations.create': { query: own, body: { email: 'new@example.com', role: 'viewer', reason } },
  };
}

/** Creates a token with every scope of its creator. */
async function tokenOf(creator: ManageClient | TestPerson, team: string | null): Promise<ManageClient> {
  const scopes = SCOPE_NAMES.filter(
    (scope) => team === null || !/^(funds|rails|reconciliation|recovery|vault):/.test(scope),
  );
  const call = { query: team === null ? {} : { merchantId: team }, body: { name: 'a program', scopes } };
  const answer = 'confirm' in creator ? creator.confirm('tokens.create', call) : creator.call('tokens.create', call);
  return clientWith(world.gateway.manageUrl, (await answer).value().secret);
}

async function callersOfOperator() {
  const { gateway } = world;
  const admin = await addPerson(gateway, 'administrator', { email: 'admin@example.com' });
  const program = clientWith(gateway.manageUrl, await commandLineToken());
  const invited = await gateway.operations.people.invite({ email: admin.email, merchantId, role: 'owner' });
  assert.ok(invited.ok);
  const both = await signIn(gateway, admin);
  (await both.call('links.join', { body: { secret: secretOfLink(invited.value.link.reveal()) } })).value();
  (await both.call('session.switch', { body: { merchantId } })).value();
  return {
    'a person of the operator': admin,
    'a token of a person of the operator': await tokenOf(admin, null),
    'a token of the command line': program,
    'a token that a token of the command line created': await tokenOf(program, null),
    'a person of the operator with a role at the merchant': both,
    'a token at the merchant of a person of the operator': await tokenOf(admin, merchantId),
    'a token at the merchant that a token of the operator created': await tokenOf(program, merchantId),
  };
}

async function callersOfMerchant() {
  const { gateway } = world;
  const owner = await addPerson(gateway, 'owner', { merchantId, email: 'owner@example.com' });
  const program = await manageClient(gateway, { merchantId });
  return {
    'an owner of the merchant': owner,
    'a token of an owner of the merchant': await tokenOf(program, merchantId),
    'a token of the command line at the merchant': program,
  };
}

async function perform(caller: ManageClient | TestPerson, name: EndpointName, { params, query, body, read }: Act) {
  const headers: Record<string, string> = {};
  if (read) headers['if-match'] = (await caller.call(read, { params: params ?? {} })).headers.get('etag') ?? '';
  const call = { headers, params: params ?? {}, query: query ?? {}, ...(body ? { body } : {}) } as ManageCall<never>;
  return 'confirm' in caller ? caller.confirm(name, call) : caller.call(name, call);
}

const EVERY_ACT = 'any action';
const ANY = { currency: null, above: null, merchantId: null };

/**
 * Policy scopes, each with the policy that binds an action in it. Undefined if no policy with this scope can name the action.
 */
const SCOPES: Readonly<Record<string, (act: Act) => Omit<Policy, 'act'> | undefined>> = {
  [EVERY_ACT]: () => ANY,
  'one merchant': ({ concerns = merchantId }) => ({ currency: null, above: null, merchantId: concerns }),
  'one currency': ({ moves }) => moves && { currency: moves, above: null, merchantId: null },
  'an amount of one merchant': ({ moves }) => moves && { currency: moves, above: 99n, merchantId },
};

/** True for actions that are possible only during a recovery, which makes other actions impossible. */
const ofRecovery = (act: string) => /^recovery\.(complete|release|notNeeded)$/.test(act);

const isSpared = (who: string) => !/^a token (of the command line|at the merchant that)/.test(who);

/**
 * Performs each action under its policy, and returns the actions that no policy stopped. All callers use the widest scope, and
 * only two tokens use the others, because the scopes do not affect which policies bind a caller.
 */
async function escaping(team: string, scope: string, isTried: (act: string) => boolean): Promise<string[]> {
  const { policies } = world.gateway.operations;
  const rules = Object.entries(acts)
    .filter(([act, { concerns }]) => isTried(act) && (team === OPERATOR_MERCHANT || concerns === undefined))
    .flatMap(([act, each]) => {
      const rule = SCOPES[scope]?.(each);
      return rule ? [{ act, ...rule }] : [];
    });
  await policies.replace(team, rules, () => true);
  const tried = Object.entries(callers[team] ?? {}).filter(([who]) => scope === EVERY_ACT || !isSpared(who));
  const escaped: string[] = [];
  for (const { act } of rules) {
    const byEach = tried.map(async ([who, caller]) => {
      const { status, json } = await perform(caller, act as EndpointName, acts[act] ?? {});
      const { isAwaitingApproval, detail = '' } = json() as { isAwaitingApproval?: boolean; detail?: string };
      const isBound = status === 202 || isAwaitingApproval === true;
      const isForbidden = status === 403 || status === 404;
      return { isBound, escaped: isBound || isForbidden ? [] : [`${act} by ${who}: ${status} ${detail}`] };
    });
    const outcomes = await Promise.all(byEach);
    escaped.push(...outcomes.flatMap(({ escaped }) => escaped));
    if (team === OPERATOR_MERCHANT && !outcomes.some(({ isBound }) => isBound))
      escaped.push(`${act}: nobody performs it`);
  }
  await policies.replace(team, [], () => true);
  return escaped;
}

describe('the matrix of rules about two people', () => {
  it('the matrix of rules has a row for each action that a rule can name', () => {
    assert.deepEqual(Object.keys(acts).sort(), [...BINDABLE].sort());
  });

  for (const scope of Object.keys(SCOPES)) {
    it(`a rule of the operator about ${scope} applies to each action of its callers`, async () => {
      assert.deepEqual(await escaping(OPERATOR_MERCHANT, scope, (act) => !ofRecovery(act)), []);
    });

    it(`a rule of a merchant about ${scope} applies to each action of its callers`, async () => {
      assert.deepEqual(await escaping(merchantId, scope, (act) => !ofRecovery(act)), []);
    });
  }

  it('an operator’s rule about payouts applies to a batch that a child token submits', async () => {
    const { policies, batches, payouts } = world.gateway.operations;
    await policies.replace(OPERATOR_MERCHANT, [{ act: 'payouts.create', ...ANY }], () => true);
    const [program] = Object.values(callers[OPERATOR_MERCHANT] ?? {}).slice(-1);
    const key = (acts['batches.submit']?.params ?? {}) as { merchantId: string; batchId: string };
    (await program?.call('batches.submit', { params: key, body: {} }))?.value();
    await until('the batch is finished', async () => (await batches.find(key))?.batch.state === 'finished');
    const found = await payouts.find({ merchantId, payoutId: `${key.batchId}-1` });
    assert.equal(found?.job?.stage, 'awaiting_approval');
    await policies.replace(OPERATOR_MERCHANT, [], () => true);
  });

  it('a rule of the operator applies to the actions of a recovery by each of its callers', async () => {
    await world.bearer(await commandLineToken()).do('recovery.begin', { reason });
    assert.deepEqual(await escaping(OPERATOR_MERCHANT, EVERY_ACT, ofRecovery), []);
  });
});
