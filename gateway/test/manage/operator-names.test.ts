/** What a merchant can see of operator users: their role, and never a name, an email address or a network address. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Proposal } from '../../contract/endpoints/proposals.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { BASE_PATH, type Endpoint } from '../../contract/parts/endpoint.ts';
import { STREAMS } from '../../contract/streams.ts';
import { DAY_MS } from '../../src/foundation/clock.ts';
import { runCommand } from '../support/gateway/run-command.ts';
import { freePort, MASTER_KEY, ORIGIN, type RunningGateway, startGateway } from '../support/gateway/running-gateway.ts';
import type { TestMerchant } from '../support/merchants/test-merchant.ts';
import { clientWith } from '../support/people/manage-client.ts';
import { addPerson, signIn, type TestPerson } from '../support/people/test-person.ts';
import { type StpUnderControl, startStpUnderControl } from '../support/rails/stp-under-control.ts';
import { sendRequest } from '../support/tools/send-request.ts';
import { until } from '../support/tools/until.ts';

/** A word that occurs nowhere else in these tests. */
const PLANTED = 'plantedcolleague';
const COLLEAGUE = `${PLANTED}@operator.example`;
/** A user with a shell on the operator's server. */
const SHELL_USER = 'ann@server';
const OWNER = 'owner@shop.example';
const OPERATOR = { kind: 'person', id: '', name: 'operator' };
const ALL: Readonly<Record<string, Endpoint>> = { ...ENDPOINTS, ...STREAMS };
const READINGS = Object.keys(ALL).filter((name) => ALL[name]?.method === 'GET' && ALL[name]?.audience !== 'operator');

let stp: StpUnderControl;
let gateway: RunningGateway;
let colleague: TestPerson;
let merchant: TestMerchant;
let owner: TestPerson;
/** The values for path and query parameters. */
let named: Readonly<Record<string, string>>;
/** The proposal as the merchant's token sees it. */
let rejected: Proposal;

before(async () => {
  const port = await freePort();
  stp = await startStpUnderControl(`http://127.0.0.1:${port}/rail-notifications/stp`);
  gateway = await startGateway({ variables: { ...stp.variables, PORT: String(port) } });
  colleague = await addPerson(gateway, 'administrator', { email: COLLEAGUE });
  merchant = await gateway.merchant({ settings: { 'approval_above.UAH': '1.00' } });
  owner = await addPerson(gateway, 'owner', { merchantId: merchant.id, email: OWNER });
  rejected = await rejectedProposal();
  await act();
  named = { ...(await objects()), proposalId: rejected.proposalId };
});
after(async () => {
  await stp.close();
  await gateway.verifyAndStop();
});

/**
 * The operator's policy binds a merchant's token that an operator user created, and a second operator user rejects its
 * proposal.
 */
async function rejectedProposal(): Promise<Proposal> {
  const { id: merchantId } = merchant;
  const setRules = async (items: readonly object[]) => {
    const etag = (await colleague.call('policies.list')).headers.get('etag') ?? '';
    const body = { items, reason: 'a rule' };
    (await colleague.confirm('policies.set', { body, headers: { 'if-match': etag } })).value();
  };
  const second = await addPerson(gateway, 'administrator', { email: `second.${COLLEAGUE}` });
  const order = { name: 'of the shop', scopes: ['keys:write', 'proposals:read'] };
  const issued = await colleague.confirm('tokens.create', { query: { merchantId }, body: order });
  const program = clientWith(gateway.manageUrl, issued.value().secret);
  await setRules([{ act: 'keys.rotate', currency: null, above: null, merchantId }]);
  const rotated = await program.call('keys.rotate', { params: { merchantId }, body: {} });
  const { proposalId, hash } = rotated.json() as Proposal;
  const refusal = { params: { proposalId }, body: { hash, reason: 'not today' } };
  (await second.confirm('proposals.reject', refusal)).value();
  await setRules([]);
  return (await program.call('proposals.show', { params: { proposalId } })).value();
}

/** The actions of the operator user on the merchant's objects. The owner cancels one payout. */
async function act(): Promise<void> {
  const { id: merchantId } = merchant;
  const payout = (payoutId: string) => ({ params: { merchantId, payoutId }, body: { reason: 'ordered twice' } });
  for (const payoutId of ['by-operator', 'by-owner']) await merchant.pay(1, payoutId, { amount: '10.00' });
  (await colleague.confirm('payouts.cancel', payout('by-operator'))).value();
  (await owner.confirm('payouts.cancel', payout('by-owner'))).value();
  const file = Buffer.from('payout_id,method,account,amount,currency\nR1,1,4111111111111111,1.00,UAH').toString(
    'base64',
  );
  const uploaded = await colleague.confirm('batches.upload', {
    params: { merchantId },
    body: { name: 'salaries', file },
  });
  const { batchId } = uploaded.value();
  const batch = { params: { merchantId, batchId } };
  await until('the batch is ready', async () => (await owner.call('batches.show', batch)).value().state === 'ready');
  (await colleague.confirm('batches.submit', { ...batch, body: {} })).value();
  const { clabe } = await merchant.deposit('held');
  await stp.pay(clabe, { amount: '40.00' });
  const held = await until('the money is held', async () =>
    (await colleague.call('transfers.held')).value().items.find(({ payTo }) => payTo === clabe),
  );
  const { rail, transferKey } = held;
  const resolution = { params: { rail, transferKey }, body: { reason: 'the shop accepts the part' } };
  (await colleague.confirm('transfers.resolve', resolution)).value();
  const words = [
    'person',
    'invite',
    '--email',
    'clerk@shop.example',
    '--merchant',
    merchantId,
    '--role',
    'owner',
    '--reason',
    'hired',
  ];
  const { connectionString: DATABASE_URL } = gateway.database;
  const shell = { DATABASE_URL, GATEWAY_MASTER_KEY: MASTER_KEY, MANAGE_ORIGIN: ORIGIN };
  const invited = await runCommand(words, { ...shell, PORT: '0', METRICS_PORT: '0', MANAGE_PORT: '0' });
  assert.equal(invited.exitCode, 0, invited.stderr);
  const viewing = await signIn(gateway, colleague);
  (await viewing.call('session.viewAs', { params: { merchantId }, body: { reason: 'a question' } })).value();
}

async function objects(): Promise<Readonly<Record<string, string>>> {
  const { id: merchantId } = merchant;
  const [batch] = (await owner.call('batches.list', { params: { merchantId } })).value().items;
  const [callback] = (await owner.call('callbacks.list')).value().items;
  const [line] = (await owner.call('ledger.list')).value().items;
  const request = await until('a request is logged', async () => (await owner.call('requests.list')).value().items[0]);
  const after = (await owner.call('events.list', { query: { limit: 1 } })).value().next;
  assert.ok(batch && callback && line);
  const payout = { payoutId: 'by-operator', q: 'by-operator', orderId: 'held', batchId: batch.batchId };
  const rest = { callbackId: callback.callbackId, journalId: line.journal, requestId: request.requestId };
  const [from = '', end = ''] = [-DAY_MS, DAY_MS].map((ms) => new Date(Date.now() + ms).toISOString());
  return { merchantId, ...payout, ...rest, currency: 'UAH', from, until: end, all: 'true', after };
}

/** Only its maker may read that proposal, and the logged request has a correct signature. */
const UNREAD = { 'proposals.show': 404, 'requests.explain': 409 };

const QUERIES: Readonly<Record<string, readonly string[]>> = {
  'statements.show': ['currency', 'from', 'until'],
  'payments.find': ['q'],
  'proposals.list': ['all'],
  'events.stream': ['after'],
};

async function read(name: string, { cookie }: TestPerson): Promise<{ status: number; text: string }> {
  const path = ALL[name]?.path.replace(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(named[part] ?? ''));
  const query = new URLSearchParams((QUERIES[name] ?? []).map((part): [string, string] => [part, named[part] ?? '']));
  const url = `${gateway.manageUrl}${BASE_PATH}${path}?${query}`;
  const headers = { cookie, 'x-gateway-client': 'test', origin: ORIGIN, 'sec-fetch-site': 'same-origin' };
  return name === 'events.stream' ? readStream(url, headers) : sendRequest(url, { headers });
}

/** Reads the stream up to the last event. */
async function readStream(url: string, headers: Readonly<Record<string, string>>) {
  const ended = new AbortController();
  const { status, body } = await fetch(url, { headers, signal: ended.signal });
  let text = '';
  for await (const piece of body ?? []) {
    text += Buffer.from(piece).toString();
    if (text.includes('session.viewAs')) break;
  }
  ended.abort();
  return { status, text };
}

describe('operator users, as a merchant sees them', () => {
  it('no response, export or stream of the management API shows a merchant the name of an operator user', async () => {
    const statuses: Record<string, number> = {};
    assert.ok(!JSON.stringify(rejected).includes(PLANTED));
    for (const name of READINGS) {
      const { status, text } = await read(name, owner);
      assert.ok(![PLANTED, SHELL_USER].some((secret) => text.includes(secret)), `${name}: ${text}`);
      if (status !== 200) statuses[name] = status;
    }
    assert.deepEqual(statuses, UNREAD);
  });

  it('no response of the merchants’ API and no callback shows a merchant the name of an operator user', async () => {
    const replies = [await merchant.status('by-operator'), await merchant.balance('UAH'), await merchant.list('UAH')];
    const callbacks = await until('the payout’s callback', () => {
      const arrived = gateway.receiver.about(merchant.id, 'by-operator');
      return arrived.length > 0 && arrived;
    });
    assert.ok(!JSON.stringify([...replies, ...callbacks.map(({ body }) => body)]).includes(PLANTED));
  });

  it('a merchant reads the role of the operator in histories, events, batches, proposals and its audit log', async () => {
    const { id: merchantId } = merchant;
    const cancelledBy = async (person: TestPerson, payoutId: string) => {
      const { history } = (await person.call('payouts.show', { params: { merchantId, payoutId } })).value();
      return history.find(({ event }) => event === 'cancelled')?.actor;
    };
    assert.equal(await cancelledBy(owner, 'by-operator'), 'operator');
    assert.equal(await cancelledBy(colleague, 'by-operator'), COLLEAGUE);
    assert.equal(await cancelledBy(owner, 'by-owner'), OWNER);
    const { history } = (await owner.call('deposits.show', { params: { merchantId, orderId: 'held' } })).value();
    assert.deepEqual([...new Set(history.map(({ actor }) => actor))], ['merchant', 'stp', 'operator']);
    const [batch] = (await owner.call('batches.list', { params: { merchantId } })).value().items;
    assert.deepEqual([batch?.createdBy, batch?.submittedBy], ['operator', 'operator']);
    assert.deepEqual([rejected.maker.name, rejected.end?.by], ['of the shop', OPERATOR]);
    const viewed = async (person: TestPerson) =>
      (await person.call('audit.list', { query: { merchantId, act: 'session.viewAs' } })).value().items[0];
    const [seen, kept] = [await viewed(owner), await viewed(colleague)];
    assert.deepEqual([seen?.actor, seen?.address], [OPERATOR, null]);
    assert.deepEqual([kept?.actor.name, kept?.hash], [COLLEAGUE, seen?.hash]);
    const own = (await owner.call('audit.list', { query: { act: 'payouts.cancel' } })).value().items;
    assert.deepEqual(
      own.map(({ actor }) => actor.name),
      [OWNER, OWNER, 'operator', 'operator'],
    );
  });

  it('the stored audit entry of a merchant’s submission contains the colleague who uploaded the batch', async () => {
    const { id: merchantId } = merchant;
    const file = Buffer.from('payout_id,method,account,amount,currency\nR2,1,4111111111111111,1.00,UAH');
    const upload = { params: { merchantId }, body: { name: 'bonuses', file: file.toString('base64') } };
    const { batchId } = (await colleague.confirm('batches.upload', upload)).value();
    const batch = { params: { merchantId, batchId } };
    await until('the batch is ready', async () => (await owner.call('batches.show', batch)).value().state === 'ready');
    const submitted = (await owner.confirm('batches.submit', { ...batch, body: {} })).value();
    assert.deepEqual([submitted.createdBy, submitted.submittedBy], ['operator', OWNER]);
    const { items } = (await colleague.call('audit.list', { query: { merchantId, act: 'batches.submit' } })).value();
    const [done] = items.filter(({ phase, actor }) => phase === 'done' && actor.name === OWNER);
    const detail = JSON.stringify(done?.detail);
    assert.ok(detail.includes(`"createdBy":"${COLLEAGUE}"`), detail);
    const own = (await owner.call('audit.list', { query: { act: 'batches.submit' } })).value().items;
    assert.ok(!JSON.stringify(own).includes(PLANTED));
  });

  it('a merchant’s histories keep the name of a user who left the team', async () => {
    const { id: merchantId } = merchant;
    const leaver = await addPerson(gateway, 'owner', { merchantId, email: 'leaver@shop.example' });
    await merchant.pay(1, 'by-leaver', { amount: '10.00' });
    const payout = { params: { merchantId, payoutId: 'by-leaver' } };
    (await leaver.confirm('payouts.cancel', { ...payout, body: { reason: 'ordered twice' } })).value();
    const removal = { params: { personId: leaver.personId }, body: { reason: 'left' } };
    (await owner.confirm('people.remove', removal)).value();
    const { history } = (await owner.call('payouts.show', payout)).value();
    assert.equal(history.find(({ event }) => event === 'cancelled')?.actor, 'leaver@shop.example');
  });
});
