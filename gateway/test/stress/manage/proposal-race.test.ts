/**
 * Proposals that are approved, rejected, withdrawn and expire concurrently, at two gateways of which one is killed. Each must
 * be decided once, and only the approved ones may move money.
 */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Proposal } from '../../../contract/endpoints/proposals.ts';
import { PROPOSAL_VALID_MS } from '../../../src/domain/proposals/proposal.ts';
import { systemClock } from '../../../src/foundation/clock.ts';
import { type GatewayProcess, startGatewayProcess } from '../../support/gateway/gateway-process.ts';
import { freePort, ORIGIN, type RunningGateway, startGateway } from '../../support/gateway/running-gateway.ts';
import { clientWith, type ManageClient } from '../../support/people/manage-client.ts';
import { addPerson, personWith, type TestPerson } from '../../support/people/test-person.ts';
import { type Choices, createChoices } from '../../support/tools/seeded.ts';

const FULL = process.env['TEST_FULL'] !== undefined;
const RACED = FULL ? 1_000 : 24;
const KILLS = FULL ? 3 : 1;
/** Every sixth proposal expires this long after its creation, mostly before or during the race. */
const EXPIRE_AFTER_MS = FULL ? 30_000 : 500;

let choices: Choices;
let offset = 0;
let gateway: RunningGateway;
let other: GatewayProcess;
let otherUrl: string;
let secret: string;
before(async () => {
  choices = createChoices('proposal race');
  gateway = await startGateway({ clock: { ...systemClock, now: () => systemClock.now() + offset } });
  await startOther();
});
after(async () => {
  await other.kill();
  await gateway.verifyAndStop();
});

async function startOther(): Promise<void> {
  const port = await freePort();
  const variables = { DATABASE_URL: gateway.database.connectionString, MANAGE_ORIGIN: ORIGIN };
  other = await startGatewayProcess({ ...variables, PORT: '0', MANAGE_PORT: String(port) }, '--role', 'manage');
  otherUrl = `http://127.0.0.1:${port}`;
}

/** The same token or session at one of the two gateways. */
const urls = () => [gateway.manageUrl, otherUrl];
const program = () => clientWith(choices.oneOf(urls()), secret);
const at = (person: TestPerson): TestPerson => personWith({ ...gateway, manageUrl: choices.oneOf(urls()) }, person);

const amountOf = (index: number) => index + 1;
const credit = (merchantId: string, index: number) => ({
  params: { merchantId },
  body: { amount: `${amountOf(index)}.00`, currency: 'EUR', reference: `raced-${index}`, reason: 'raced' },
});

async function proposeAll(client: ManageClient, merchantId: string): Promise<Proposal[]> {
  const proposals: Proposal[] = [];
  for (let index = 0; index < RACED; index += 1) {
    offset = index % 6 === 5 ? EXPIRE_AFTER_MS - PROPOSAL_VALID_MS : 0;
    const answer = await client.call('funds.credit', credit(merchantId, index));
    assert.equal(answer.status, 202, JSON.stringify(answer.json()));
    proposals.push(answer.json() as Proposal);
  }
  offset = 0;
  return proposals;
}

type Decision = (proposal: Proposal) => Promise<{ readonly status: number }>;

/**
 * Makes all decisions almost simultaneously, and repeats them after a lost connection. Returns the decisions that succeeded.
 */
async function raceFor(proposal: Proposal, decisions: Readonly<Record<string, Decision>>): Promise<string[]> {
  const answers = Object.entries(decisions).map(async ([name, decide]) => {
    await sleep(choices.between(0, 40));
    const { status } = await decide(proposal).catch((error: unknown) => {
      assert.ok(error instanceof TypeError, String(error));
      return decide(proposal);
    });
    assert.ok([200, 409].includes(status), `${name}: ${status}`);
    return status === 200 ? [name] : [];
  });
  return (await Promise.all(answers)).flat();
}

async function killNow(): Promise<void> {
  for (let kill = 0; kill < KILLS; kill += 1) {
    await sleep(choices.between(400, 900));
    otherUrl = gateway.manageUrl;
    await other.kill();
    if (kill + 1 < KILLS) await startOther();
  }
}

it('each proposal gets one outcome when users approve, reject and withdraw concurrently while a gateway is killed', async () => {
  const { id: merchantId } = await gateway.merchant({ funds: {} });
  const admin = await addPerson(gateway, 'administrator', { email: 'admin@example.com' });
  const people: TestPerson[] = [];
  for (const name of ['ann', 'ben', 'cem'])
    people.push(await addPerson(gateway, 'approver', { email: `${name}@example.com` }));
  const [ann, ben, cem] = people as [TestPerson, TestPerson, TestPerson];
  const etag = (await admin.call('policies.list')).headers.get('etag') ?? '';
  const rule = { act: 'funds.credit', currency: null, above: null, merchantId: null };
  const rules = { body: { items: [rule], reason: 'the test' }, headers: { 'if-match': etag } };
  (await admin.confirm('policies.set', rules)).value();
  const scopes = { name: 'maker', scopes: ['funds:write', 'proposals:read'] as const };
  secret = (await admin.confirm('tokens.create', { body: { ...scopes, scopes: [...scopes.scopes] } })).value().secret;
  const proposals = await proposeAll(clientWith(gateway.manageUrl, secret), merchantId);
  const named = ({ proposalId }: Proposal) => ({ params: { proposalId } });
  const approveBy = (person: TestPerson) => (proposal: Proposal) =>
    at(person).confirm('proposals.approve', { ...named(proposal), body: { hash: proposal.hash } });
  const rejectBy = (person: TestPerson) => (proposal: Proposal) =>
    at(person).confirm('proposals.reject', { ...named(proposal), body: { hash: proposal.hash, reason: 'raced' } });
  const approvals = { executed: approveBy(ann), 'executed as well': approveBy(ben) };
  const refusals = { rejected: rejectBy(cem), 'rejected as well': rejectBy(ben) };
  const withdrawn = (proposal: Proposal) => program().call('proposals.withdraw', named(proposal));
  /** In rotation, so that the fastest decision does not win every race. */
  const decisions: readonly Readonly<Record<string, Decision>>[] = [
    approvals,
    refusals,
    { executed: approveBy(ann), withdrawn },
    { ...approvals, rejected: rejectBy(cem), withdrawn },
  ];
  const answered: string[][] = [];
  const race = async () => {
    for (const [index, proposal] of proposals.entries())
      answered.push(await raceFor(proposal, decisions[index % decisions.length] ?? {}));
  };
  await Promise.all([race(), killNow()]);
  let total = 0;
  const states = new Map<string, number>();
  for (const [index, proposal] of proposals.entries()) {
    const { state } = (await admin.call('proposals.show', named(proposal))).value();
    assert.ok(['executed', 'rejected', 'withdrawn', 'expired'].includes(state), state);
    states.set(state, (states.get(state) ?? 0) + 1);
    if (state === 'executed') total += amountOf(index);
    const ends = answered[index] ?? [];
    assert.ok(ends.length <= 1, `${index}: ${ends}`);
    for (const end of ends) assert.ok(end.startsWith(state), `${index}: ${end}, and is ${state}`);
  }
  const { balances } = (await admin.call('merchants.show', { params: { merchantId } })).value();
  assert.equal(balances.find(({ currency }) => currency === 'EUR')?.available ?? '0.00', `${total}.00`);
  const { rows } = await gateway.database.pool.query<{ acts: number; executed: number }>(
    `select (select count(*)::int from audit_entries where act = 'funds.credit' and phase = 'done') as acts,
       (select count(*)::int from proposal_ends where kind = 'executed') as executed`,
  );
  assert.equal(rows[0]?.acts, rows[0]?.executed);
  for (const state of ['executed', 'rejected', 'withdrawn', 'expired'])
    assert.ok(states.has(state), `none is ${state}: ${JSON.stringify([...states])}`);
});
