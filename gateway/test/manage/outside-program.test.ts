/**
 * Every action of the command line, of a merchant and of a person, by programs that know openapi/manage.json alone. Only what
 * banks, payers and merchants’ servers do reaches the gateway by another way.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Secret as OtpSecret, TOTP } from 'otpauth';
import { type Endpoint, isAct, permissionsOf } from '../../contract/endpoint.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { MERCHANT_ROLES } from '../../contract/permissions.ts';
import { WITHOUT_ENDPOINT } from '../../generators/openapi/commands-without-endpoint.ts';
import { readCommands } from '../../generators/tables/command-line.ts';
import { PAUSES_KNOWN_AFTER_MS } from '../../src/domain/routing/pauses.ts';
import { KNOWN_CHECKS } from '../../src/protocol/conformance/play-receiver.ts';
import { ORIGIN } from '../support/gateway/running-gateway.ts';
import type { TestMerchant } from '../support/merchants/test-merchant.ts';
import { post } from '../support/payouts/payout-request.ts';
import { DESCRIBED, type OutsideProgram, type Values } from '../support/people/outside-program.ts';
import {
  ASKING,
  checkedBatch,
  type OutsideWorld,
  openOutsideWorld,
  PAGE,
  type Person,
  reason,
} from '../support/people/outside-world.ts';
import { createSoftwarePasskey } from '../support/people/software-passkey.ts';
import { until } from '../support/tools/until.ts';

const DAY = '2026-11-20';
const PERIOD = { from: '2026-11-01T00:00:00Z', until: '2026-11-20T00:00:00Z' };
const merchantId = 'OUT1';
const cardFields = (amount: string) => ({ account: '4111111111111111', amount, currency: 'UAH' });

/** Above the amount at which a payout waits for an approval. */
const waiting = { merchantId, method: 1, fields: cardFields('60.00') };

describe('a program that knows only openapi/manage.json', () => {
  let operator: OutsideProgram;
  let ann: Person;
  let ben: Person;
  let shop: TestMerchant;
  let merchant: OutsideProgram;
  let world: OutsideWorld;

  before(async () => {
    world = await openOutsideWorld();
    ann = await world.firstAdministrator('ann@example.com');
    const invited = await ann.do('invitations.create', { email: 'ben@example.com', role: 'administrator', reason });
    ben = await world.accept(invited.link, 'ben@example.com');
    const { permissions } = await ann.do('session.show');
    const scopes = permissions.filter((name: string) => !/approve|signatures/.test(name));
    operator = world.bearer((await ann.do('tokens.create', { name: 'operate', scopes, days: 1 })).secret);
    shop = await world.newMerchant(operator, merchantId);
  });

  after(() => world.close());

  it('a program that knows only openapi/manage.json operates merchants, keys, funds, rails, routes and pauses', async () => {
    await operator.do('merchants.settings', { merchantId });
    await operator.do('merchants.show', { merchantId });
    await operator.do('merchants.edit', {
      merchantId,
      name: 'A better shop',
      settings: { 'approval_above.UAH': '50.00' },
    });
    await operator.do('funds.debit', { merchantId, currency: 'EUR', amount: '1.00', reference: 'down', reason });
    await world.newMerchant(operator, 'OUT2');
    await operator.do('keys.rotate', { merchantId: 'OUT2', purpose: 'form' });
    await operator.do('merchants.suspend', { merchantId: 'OUT2' });
    const [{ name: rail, methods }] = (await operator.do('rails.list')).items;
    await operator.do('rails.show', { rail });
    await operator.do('rails.exchanges', { rail, reference: 'none' });
    await operator.do('rails.test', { rail: 'wayforpay' });
    await operator.do('rails.setHours', { rail, hours: null });
    await operator.do('rails.setThreshold', { rail, currency: 'UAH', threshold: '5.00' });
    await operator.do('routes.list');
    await operator.do('routes.set', { method: methods[0], rail, rank: 1 });
    await operator.do('routes.replay', { days: 1, routes: [] });
    await operator.do('routes.list');
    await operator.do('routes.remove', { method: methods[0], rail });
    for (const name of ['merchants.list', 'rails.setups', 'processes.list', 'queues.show', 'vault.progress'])
      await operator.do(name);
    await operator.do('vault.rotate');
    await operator.do('statementKeys.rotate');
  });

  it('a program that knows only openapi/manage.json creates, cancels, asks about and resolves payouts, and sends callbacks again', async () => {
    await operator.do('pauses.pause', { scope: 'merchant', target: merchantId, reason });
    await operator.do('pauses.list');
    await sleep(PAUSES_KNOWN_AFTER_MS);
    const { payoutId } = await operator.do('payouts.create', waiting);
    await operator.do('payouts.cancel', { merchantId, payoutId, reason });
    await operator.do('pauses.resume', { scope: 'merchant', target: merchantId });
    await shop.pay(1, 'final');
    await shop.final('final');
    await operator.do('payouts.ask', { merchantId, payoutId: 'final' });
    await operator.do('payouts.resolve', { merchantId, payoutId: 'final', outcome: 'reversed', reason });
    await operator.do('payouts.methods', { merchantId });
    await operator.do('payouts.check', { merchantId, method: 1, fields: cardFields('2.00') });
    const { callbackId } = await until('the callback is delivered', async () => {
      const { items } = await operator.do('callbacks.list', {
        merchantId,
        subjectId: 'final',
        subject: 'payout',
        state: 'delivered',
      });
      return items[0];
    });
    await operator.do('callbacks.show', { merchantId, callbackId });
    await operator.do('callbacks.pace', { merchantId });
    await operator.do('callbacks.test', { merchantId, subject: 'payout' });
    await operator.do('callbacks.resend', { merchantId, callbackId });
    await operator.do('callbacks.resendUndelivered', { merchantId });
    const { requestId } = await until('a request is logged', async () => {
      return (await operator.do('requests.list', { merchantId })).items[0];
    });
    await operator.do('requests.show', { merchantId, requestId });
    await operator.do('payouts.list', { merchantId });
    await operator.do('payouts.show', { merchantId, payoutId });
    await operator.do('payouts.overdue');
    await operator.do('payouts.awaiting');
    await operator.do('payments.find', { q: 'final' });
    await operator.do('reconciliation.askPayouts', {
      rail: 'wayforpay',
      payouts: [{ merchantId, payoutId: 'final', amount: '10.00', currency: 'UAH' }],
    });
  });

  it('a program that knows only openapi/manage.json uploads, submits and cancels batches', async () => {
    const batchId = await checkedBatch(operator, merchantId);
    await operator.do('batches.list', { merchantId });
    await operator.do('batches.rows', { merchantId, batchId });
    await operator.do('batches.export', { merchantId, batchId });
    await operator.do('batches.submit', { merchantId, batchId, reason });
    await operator.do('batches.cancel', {
      merchantId,
      batchId: await checkedBatch(operator, merchantId),
      reason,
    });
  });

  it('a program that knows only openapi/manage.json credits, returns and refunds money, and ends the attempts of a payer', async () => {
    for (const [order, act] of [
      ['held1', 'transfers.resolve'],
      ['held2', 'transfers.return'],
    ] as const) {
      const { rail, transferKey } = await world.heldTransfer(operator, shop, order);
      await operator.do(act, { rail, transferKey, reason });
    }
    const paid = await world.payByCard(operator, merchantId, 'card1');
    const { payoutId } = await operator.do('deposits.refund', {
      merchantId,
      transactionId: paid,
      amount: '1.00',
      reason,
    });
    const kindsOf = ({ related }: Values) => (related as Values[]).map(({ kind, id }: Values) => [kind, id]);
    const deposit = await operator.do('deposits.show', { merchantId, orderId: 'card1' });
    const { reference } = deposit.attempts[0];
    assert.deepEqual(kindsOf(deposit), [
      ['attempt', reference],
      ['refund', payoutId],
    ]);
    const [order] = kindsOf(await operator.do('payouts.show', { merchantId, payoutId }));
    assert.deepEqual(order, ['order', 'card1']);
    const open = await world.payByCard(operator, merchantId, 'card2', ASKING);
    // The first call to the provider may last for half a minute.
    await world.gateway.database.pool.query(
      `update payment_attempts set send_until = now() where transaction_id = $1`,
      [open],
    );
    await operator.do('deposits.endAttempts', { merchantId, transactionId: open, reason });
    await operator.do('deposits.overdue');
    for (const list of ['deposits', 'payments', 'transfers', 'refunds'])
      await operator.do(`${list}.list`, { merchantId });
    const exports = [...DESCRIBED.keys()].filter((name) => name.endsWith('.export') && !name.startsWith('batches'));
    for (const name of exports) await operator.do(name, { merchantId });
  });

  it('a program that knows only openapi/manage.json reads the books, compares days with providers and resolves differences', async () => {
    const { items } = await operator.do('ledger.list', { merchantId });
    await operator.do('ledger.show', { merchantId, journalId: items[0].journal });
    await operator.do('balances.show', { merchantId });
    await operator.do('balances.history', { merchantId });
    await operator.do('ledger.trialBalance');
    await operator.do('volumes.list', { merchantId, ...PERIOD });
    await operator.do('statements.show', { merchantId, currency: 'UAH', ...PERIOD });
    await operator.do('statementKeys.list', { merchantId });
    await operator.do('reconciliation.compareDay', { rail: 'wayforpay', day: DAY });
    await operator.do('reconciliation.readTransfers', { rail: 'stp' });
    await operator.do('reconciliation.listDays', { from: DAY, until: DAY });
    await world.gateway.database.pool.query(
      `insert into differences (rail, day, kind, subject, ours, theirs, found_at) values ('stp', $1, 'amount', 'X', '1', '2', now())`,
      [DAY],
    );
    const [found] = (await operator.do('differences.list', { rail: 'stp', day: DAY, kind: 'amount' })).items;
    const { rail, day, kind, subject } = found;
    await operator.do('differences.show', { rail, day, kind, subject });
    await operator.do('differences.resolve', { rail, day, kind, subject, reason });
    await operator.do('audit.verify');
    await operator.do('books.verify');
  });

  it('a program that knows only openapi/manage.json acts for a merchant: settings, keys, payouts, callbacks, tokens and a team', async () => {
    const invited = await operator.do('invitations.create', {
      merchantId,
      email: 'olha@example.com',
      role: 'viewer',
      reason,
    });
    await operator.do('invitations.revoke', { merchantId, invitationId: invited.invitation.invitationId });
    const owner = await ownerOf('owner@example.com');
    const { permissions } = await owner.do('session.show');
    const scopes = permissions.filter((name: string) => !/approve|signatures/.test(name));
    const issued = await owner.do('tokens.create', { name: 'shop', scopes, days: 1 });
    merchant = world.bearer(issued.secret);
    await merchant.do('merchants.show', { merchantId });
    await merchant.do('merchants.edit', { merchantId, name: 'Our shop' });
    await merchant.do('keys.rotate', { merchantId, purpose: 'form' });
    const results = KNOWN_CHECKS.map(({ name }) => ({ name, state: 'passed', found: '' }));
    await merchant.do('merchants.recordConformance', { merchantId, address: 'https://shop.example/callback', results });
    await merchant.do('payouts.check', { merchantId, method: 1, fields: cardFields('60.00') });
    const { payoutId } = await merchant.do('payouts.create', { merchantId, method: 1, fields: cardFields('60.00') });
    await merchant.do('payouts.cancel', { merchantId, payoutId, reason });
    await merchant.do('batches.submit', { merchantId, batchId: await checkedBatch(merchant, merchantId) });
    await merchant.do('batches.cancel', {
      merchantId,
      batchId: await checkedBatch(merchant, merchantId),
      reason,
    });
    const [{ callbackId }] = (await merchant.do('callbacks.list', { subjectId: 'final', subject: 'payout' })).items;
    await merchant.do('callbacks.test', { merchantId, subject: 'deposit' });
    await merchant.do('callbacks.resend', { merchantId, callbackId });
    await merchant.do('callbacks.resendUndelivered', { merchantId });
    const transactionId = await world.payByCard(operator, merchantId, 'card3');
    const refund = await merchant.do('deposits.refund', { merchantId, transactionId, reason });
    const actorOf = ({ history }: Values, name: string) =>
      (history as Values[]).find(({ event }: Values) => event === name)?.['actor'];
    const refunded = await merchant.do('deposits.show', { merchantId, orderId: 'card3' });
    assert.equal(actorOf(refunded, 'refund_requested'), 'shop');
    assert.equal(
      actorOf(await merchant.do('payouts.show', { merchantId, payoutId: refund.payoutId }), 'accepted'),
      'shop',
    );
    const second = await merchant.do('tokens.create', { name: 'second', scopes: ['payouts:read'], days: 1 });
    await merchant.do('tokens.list');
    await merchant.do('tokens.revoke', { tokenId: second.token.tokenId });
    const guest = await merchant.do('invitations.create', { email: 'guest@example.com', role: 'viewer', reason });
    const { personId } = await world.accept(guest.link, 'guest@example.com');
    await merchant.do('people.list');
    await merchant.do('people.setRole', { personId, role: 'support', reason });
    await merchant.do('people.endSessions', { personId, reason });
    await merchant.do('people.remove', { personId, reason });
    const open = await merchant.do('invitations.create', { email: 'nobody@example.com', role: 'viewer', reason });
    await merchant.do('invitations.list');
    await merchant.do('invitations.revoke', { invitationId: open.invitation.invitationId });
  });

  it('a program that knows only openapi/manage.json follows the events of a merchant, and learns why a signature was wrong', async () => {
    const { next: after } = await merchant.do('events.list', { merchantId, limit: 1 });
    const isEnough = (so: string) => so.includes('"objectId":"final"');
    const text = await merchant.read('events.stream', { merchantId, after }, isEnough);
    assert.match(text, /^id: \S+$/m);
    const owner = await ownerOf('doctor@example.com');
    const { sign, ...fields } = shop.request(1, 'unsigned');
    const wrong = { ...fields, sign: Buffer.from(String(sign), 'base64').toString('hex') };
    await post(`${world.gateway.url}/merchant/api/payout_send`, wrong);
    const { requestId } = await until('the request is logged', async () => {
      return (await owner.do('requests.list', { merchantId, subjectId: 'unsigned' })).items[0];
    });
    const { findings } = await owner.do('requests.explain', { merchantId, requestId });
    assert.equal(findings[0].kind, 'mistake');
  });

  it('a program that knows only openapi/manage.json signs in a person at the OpenID Connect provider', async () => {
    const visitor = world.program({ headers: PAGE });
    const { url } = await visitor.do('signIn.openid');
    const user = { sub: 'ben', email: 'ben@example.com', email_verified: true };
    const returned = world.program({ headers: { ...PAGE, cookie: visitor.cookie } });
    const query = world.provider.authorize(url, user);
    assert.equal((await returned.do('signIn.openidReturn', { query })).personId, ben.personId);
  });

  const owners: Person[] = [];
  async function ownerOf(email: string): Promise<Person> {
    const invited = await ann.do('invitations.create', { merchantId, email, role: 'owner', reason });
    const owner = await world.accept(invited.link, email);
    owners.push(owner);
    return owner;
  }

  it('a program that knows only openapi/manage.json proposes, withdraws, refuses and approves actions as two people', async () => {
    const [owner, checker] = [await ownerOf('first@example.com'), await ownerOf('second@example.com')];
    await merchant.do('policies.list');
    await merchant.do('policies.set', {
      items: [{ act: 'tokens.revoke', currency: null, above: null, merchantId: null }],
      reason,
    });
    const { token } = await owner.do('tokens.create', { name: 'third', scopes: ['payouts:read'], days: 1 });
    const propose = () => merchant.propose('tokens.revoke', { tokenId: token.tokenId });
    await merchant.do('proposals.withdraw', { proposalId: (await propose()).proposalId });
    const refused = await propose();
    await checker.do('proposals.reject', { proposalId: refused.proposalId, hash: refused.hash, reason });
    const approved = await propose();
    await checker.do('proposals.show', { proposalId: approved.proposalId });
    await checker.do('proposals.list');
    await checker.do('proposals.approve', { proposalId: approved.proposalId, hash: approved.hash });
    const { payoutId } = await merchant.do('payouts.create', { merchantId, method: 1, fields: cardFields('70.00') });
    await checker.do('payouts.approve', { merchantId, payoutId, reason });
    await operator.do('audit.list', { merchantId });
  });

  it('a program that knows only openapi/manage.json keeps a person’s credentials and sessions', async () => {
    const email = 'carl@example.com';
    const invited = await ann.do('invitations.create', { email, role: 'auditor', reason });
    const carl = await world.accept(invited.link, email);
    const passkey = createSoftwarePasskey(ORIGIN);
    const { challengeId, publicKey } = await carl.do('passkeys.challenge');
    await carl.do('passkeys.add', { challengeId, attestation: passkey.create(publicKey), name: 'a second device' });
    const { passkeys } = await carl.do('credentials.show');
    const second = passkeys.find(({ name }: Values) => name === 'a second device');
    await carl.do('passkeys.remove', { credentialId: second.credentialId });
    const offered = await carl.do('password.challenge');
    const app = new TOTP({ secret: OtpSecret.fromBase32(offered.secret) });
    const password = 'correct horse battery staple';
    await carl.do('password.set', { challengeId: offered.challengeId, password, code: app.generate() });
    const { codes } = await carl.do('recoveryCodes.create');
    const visitor = world.program({ headers: PAGE });
    const later = { timestamp: Date.now() + 30_000 };
    await visitor.do('signIn.password', { email, password, code: app.generate(later) });
    await visitor.do('signIn.recovery', { email, code: codes[0] });
    await carl.do('password.remove');
    const { items } = await carl.do('sessions.list');
    const other = items.find(({ isThis }: Values) => !isThis);
    await carl.do('sessions.end', { sessionId: other.sessionId });
    const joined = await ann.do('invitations.create', { merchantId, email, role: 'viewer', reason });
    await carl.do('links.join', { secret: joined.link.slice(joined.link.indexOf('#') + 1) });
    await carl.do('session.viewAs', { merchantId, reason });
    await carl.do('session.switch', { merchantId });
    await carl.do('session.end');
    const reset = await ann.do('people.reset', { personId: carl.personId, reason });
    await ben.do('people.approveReset', { invitationId: reset.invitationId, reason });
    await operator.do('people.list');
  });

  it('a program that knows only openapi/manage.json recovers from a restore', async () => {
    await operator.do('pauses.pause', { scope: 'method', target: '1', reason });
    await sleep(PAUSES_KNOWN_AFTER_MS);
    const { payoutId } = await operator.do('payouts.create', waiting);
    await operator.do('recovery.begin', { reason });
    await operator.do('recovery.show');
    await operator.do('recovery.compare');
    await operator.do('recovery.release', { merchantId, payoutId, reason });
    await operator.do('recovery.complete', { force: { reason } });
    await operator.do('recovery.notNeeded', { reason });
    await operator.do('pauses.resume', { scope: 'method', target: '1' });
  });

  it('the program performed every operation, each action of a merchant as a merchant, and the audit log has each action', async () => {
    const performed = new Set(world.programs.flatMap(({ done }) => [...done]));
    const missing = [...DESCRIBED.keys()].filter((name) => !performed.has(name));
    assert.deepEqual(missing, []);
    const { rows } = await world.gateway.database.pool.query<{ act: string }>(
      `select distinct act from audit_entries where phase = 'done' and actor_kind in ('person', 'token')`,
    );
    const recorded = new Set(rows.map(({ act }) => act));
    const acts = [...DESCRIBED.values()].filter(({ parameters }) =>
      parameters.some(({ name }) => name === 'Idempotency-Key'),
    );
    assert.deepEqual(
      acts.map(({ name }) => name).filter((name) => !recorded.has(name)),
      [],
    );
    const byMerchant = new Set([merchant, ...owners].flatMap(({ done }) => [...done]));
    const ofMerchants = (Object.entries(ENDPOINTS) as [string, Endpoint][]).filter(
      ([, endpoint]) => isAct(endpoint) && endpoint.audience === 'own' && isOfOwner(endpoint),
    );
    assert.deepEqual(
      ofMerchants.map(([name]) => name).filter((name) => !byMerchant.has(name)),
      [],
    );
    const commands = new Set(
      Object.entries(ENDPOINTS as Readonly<Record<string, Endpoint>>).flatMap(([name, { command }]) =>
        performed.has(name) && command !== undefined ? [command] : [],
      ),
    );
    const named = (await readCommands()).map(({ name }) => name.replace(/ [[<].*$/, ''));
    assert.deepEqual(
      named.filter((name) => !commands.has(name) && !OFFLINE.includes(name)),
      [],
    );
  });
});

function isOfOwner(endpoint: Endpoint): boolean {
  return permissionsOf(endpoint).some((name) => MERCHANT_ROLES.owner.permissions.includes(name));
}

/** The commands that are not actions on a gateway’s data. */
const OFFLINE = ['signature explain', ...Object.keys(WITHOUT_ENDPOINT)];
