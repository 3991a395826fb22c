/** Users: invitations, passkeys, roles and the limits of their permissions. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { roleOf } from '../../contract/permissions.ts';
import { systemClock } from '../../src/foundation/clock.ts';
import { ORIGIN, type RunningGateway, startGateway } from '../support/gateway/running-gateway.ts';
import { createSoftwarePasskey, type DeviceFaults } from '../support/people/software-passkey.ts';
import {
  acceptLink,
  addPerson,
  proofOf,
  secretOfLink,
  signIn,
  type TestPerson,
  visitor,
  writeProof,
} from '../support/people/test-person.ts';
import { until } from '../support/tools/until.ts';

const HOUR = 3_600_000;
let offset = 0;
let gateway: RunningGateway;
let admin: TestPerson;
let merchantId: string;
before(async () => {
  gateway = await startGateway({ clock: { ...systemClock, now: () => systemClock.now() + offset } });
  merchantId = (await gateway.merchant()).id;
  admin = await addPerson(gateway, 'administrator', { email: 'admin@example.com' });
});
after(() => gateway.verifyAndStop());

async function later<Value>(ms: number, act: () => Promise<Value>): Promise<Value> {
  offset += ms;
  try {
    return await act();
  } finally {
    offset -= ms;
  }
}

async function signInWith(person: TestPerson, faults: DeviceFaults) {
  const { challengeId, publicKey } = (await visitor(gateway).call('signIn.challenge')).value();
  const body = { challengeId, assertion: person.passkey.get(publicKey, faults) };
  return visitor(gateway).call('signIn.passkey', { body });
}

describe('a passkey', () => {
  it('a passkey signs in its user, and the audit log records the sign-in and the link', async () => {
    const person = await addPerson(gateway, 'viewer', { merchantId, email: 'first@example.com' });
    const again = await signIn(gateway, person);
    const shown = (await again.call('session.show')).value();
    assert.deepEqual([shown.person.email, shown.merchantId, shown.way], ['first@example.com', merchantId, 'passkey']);
    assert.deepEqual([...shown.permissions], roleOf(merchantId, 'viewer')?.permissions);
    const entries = (await admin.call('audit.list', { query: { merchantId, act: 'sign-in' } })).value().items;
    assert.deepEqual(entries[0]?.actor, { kind: 'person', id: person.personId, name: 'first@example.com' });
  });

  it('a passkey is rejected for a different origin or user, and as a copy', async () => {
    const person = await addPerson(gateway, 'viewer', { merchantId, email: 'faults@example.com' });
    const wrong: DeviceFaults[] = [
      { origin: 'http://localhost:9999' },
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { userVerified: false },
      { userHandle: Buffer.from('nobody').toString('base64url') },
    ];
    for (const faults of wrong) {
      const refused = await signInWith(person, { counter: 50, ...faults });
      assert.equal(refused.status, 401, JSON.stringify(faults));
      assert.match(refused.problem().type, /#sign-in-failed$/);
    }
    assert.equal((await signInWith(person, { counter: 60 })).status, 200);
    for (const counter of [60, 59, 0]) assert.equal((await signInWith(person, { counter })).status, 401);
    assert.equal((await signInWith(person, { counter: 61 })).status, 200);
  });

  it('a sign-in accepts only an unexpired challenge that the gateway issued, once', async () => {
    const person = await addPerson(gateway, 'viewer', { merchantId, email: 'replay@example.com' });
    const { challengeId, publicKey } = (await visitor(gateway).call('signIn.challenge')).value();
    const body = { challengeId, assertion: person.passkey.get(publicKey) };
    const both = await Promise.all([1, 2].map(() => visitor(gateway).call('signIn.passkey', { body })));
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401]);
    const issued = (await visitor(gateway).call('signIn.challenge')).value();
    const late = { challengeId: issued.challengeId, assertion: person.passkey.get(issued.publicKey) };
    assert.equal((await later(6 * 60_000, () => visitor(gateway).call('signIn.passkey', { body: late }))).status, 401);
    const own = { challenge: Buffer.alloc(32).toString('base64url'), rpId: 'localhost' };
    const invented = { challengeId: 'x', assertion: person.passkey.get(own) };
    assert.equal((await visitor(gateway).call('signIn.passkey', { body: invented })).status, 401);
  });

  it('a passkey of another site is not registered', async () => {
    const invited = await gateway.operations.people.invite({ email: 'other@example.com', merchantId, role: 'viewer' });
    assert.ok(invited.ok);
    const secret = secretOfLink(invited.value.link.reveal());
    const accept = async (faults: DeviceFaults) => {
      const { challengeId, publicKey } = (await visitor(gateway).call('links.challenge', { body: { secret } })).value();
      const attestation = createSoftwarePasskey(ORIGIN).create(publicKey, faults);
      const body = { secret, challengeId, attestation, name: 'O', passkeyName: 'd' };
      return visitor(gateway).call('links.accept', { body });
    };
    for (const faults of [{ origin: 'https://evil.example' }, { rpId: 'evil.example' }, { userVerified: false }])
      assert.equal((await accept(faults)).status, 400, JSON.stringify(faults));
    assert.equal((await accept({})).status, 200);
  });
});

describe('an invitation', () => {
  const invite = (email: string, role = 'viewer') =>
    admin.confirm('invitations.create', { query: { merchantId }, body: { email, role, reason: 'new colleague' } });

  it('an invitation works once within 48 hours', async () => {
    const { link } = (await invite('once@example.com')).value();
    const secret = secretOfLink(link);
    const person = await acceptLink(gateway, secret, 'once@example.com');
    assert.equal((await person.call('session.show')).status, 200);
    assert.equal((await visitor(gateway).call('links.show', { body: { secret } })).status, 404);
    const late = secretOfLink((await invite('late@example.com')).value().link);
    const show = () => visitor(gateway).call('links.show', { body: { secret: late } });
    assert.equal((await later(47 * HOUR, show)).status, 200);
    assert.equal((await later(48 * HOUR, show)).status, 404);
    const { invitation, link: third } = (await invite('revoked@example.com')).value();
    const revoke = { params: { invitationId: invitation.invitationId }, query: { merchantId } };
    (await admin.call('invitations.revoke', revoke)).value();
    assert.equal((await visitor(gateway).call('links.show', { body: { secret: secretOfLink(third) } })).status, 404);
  });

  it('an invitation whose acceptance fails halfway stays open and does not create a user', async () => {
    const secret = secretOfLink((await invite('half-way@example.com')).value().link);
    const { pool } = gateway.database;
    await pool.query(`alter table memberships add constraint fails check (role <> 'viewer') not valid`);
    try {
      await assert.rejects(acceptLink(gateway, secret, 'half-way@example.com'));
    } finally {
      await pool.query('alter table memberships drop constraint fails');
    }
    const { rows } = await pool.query(`select 1 from people where email = 'half-way@example.com'`);
    assert.equal(rows.length, 0);
    const person = await acceptLink(gateway, secret, 'half-way@example.com');
    assert.equal((await person.call('session.show')).status, 200);
  });

  it('an invitation is for one email address, and an existing user accepts it only when signed in', async () => {
    const secret = secretOfLink((await invite('ann@example.com')).value().link);
    const { challengeId, publicKey } = (await visitor(gateway).call('links.challenge', { body: { secret } })).value();
    const attestation = createSoftwarePasskey(ORIGIN).create(publicKey);
    const body = { secret, challengeId, attestation, name: 'Eve', email: 'eve@example.com', passkeyName: 'd' };
    assert.match((await visitor(gateway).call('links.accept', { body })).problem().detail, /another email address/);
    const ann = await acceptLink(gateway, secret, 'ann@example.com');
    const other = (await gateway.merchant()).id;
    const further = await gateway.operations.people.invite({
      email: 'Ann@Example.com',
      merchantId: other,
      role: 'owner',
    });
    assert.ok(further.ok);
    const second = secretOfLink(further.value.link.reveal());
    const eve = await addPerson(gateway, 'viewer', { merchantId, email: 'eve@example.com' });
    assert.match((await eve.call('links.join', { body: { secret: second } })).problem().detail, /another email/);
    await assert.rejects(acceptLink(gateway, second, 'ann@example.com'), /has an account/);
    (await ann.call('links.join', { body: { secret: second } })).value();
    assert.equal((await ann.call('merchants.show', { params: { merchantId: other } })).status, 404);
    (await ann.call('session.switch', { body: { merchantId: other } })).value();
    assert.equal((await ann.call('merchants.show', { params: { merchantId: other } })).status, 200);
    assert.equal((await ann.call('merchants.show', { params: { merchantId } })).status, 404);
    assert.equal((await ann.call('session.switch', { body: { merchantId: null } })).status, 404);
  });

  it('an invitation does not grant a permission that the inviter lacks, and a token cannot invite to a role that approves', async () => {
    const owner = await addPerson(gateway, 'owner', { merchantId, email: 'owner@example.com' });
    const order = (role: string, query = {}) =>
      owner.confirm('invitations.create', { query, body: { email: 'x@example.com', role, reason: 'x' } });
    assert.equal((await order('finance')).status, 200);
    assert.match((await order('administrator')).problem().detail, /must be a role of this team/);
    for (const role of ['support', 'viewer', 'developer']) {
      const weak = await addPerson(gateway, role, { merchantId, email: `${role}@example.com` });
      const body = { email: 'y@example.com', role, reason: 'x' };
      assert.equal((await weak.call('invitations.create', { body })).status, 403, role);
    }
    const { manageClient } = await import('../support/people/manage-client.ts');
    const token = await manageClient(gateway, { scopes: ['people:write', 'people:read'] });
    const body = { email: 'z@example.com', role: 'administrator', reason: 'x' };
    assert.match((await token.call('invitations.create', { body })).problem().type, /#forbidden$/);
  });
});

describe('a role', () => {
  it('a role change takes effect immediately, and a removed user is rejected at the next request', async () => {
    const person = await addPerson(gateway, 'owner', { merchantId, email: 'changing@example.com' });
    const named = { params: { personId: person.personId }, query: { merchantId } };
    assert.equal((await person.call('people.list')).status, 200);
    (await admin.confirm('people.setRole', { ...named, body: { role: 'viewer', reason: 'moved' } })).value();
    assert.equal((await person.call('people.list')).status, 403);
    (await admin.confirm('people.remove', { ...named, body: { reason: 'left' } })).value();
    assert.equal((await person.call('session.show')).status, 401);
    assert.equal((await signInWith(person, {})).status, 401);
  });

  it('the last administrator can lose neither the role nor its permissions', async () => {
    const named = { params: { personId: admin.personId }, query: {} };
    const removed = await admin.confirm('people.remove', { ...named, body: { reason: 'x' } });
    assert.match(removed.problem().detail, /needs at least one administrator/);
    const lowered = await admin.confirm('people.setRole', { ...named, body: { role: 'auditor', reason: 'x' } });
    assert.match(lowered.problem().detail, /needs at least one administrator/);
  });
});

describe('an open stream of events', () => {
  it('an open stream of events does not keep its session from going idle and ends with it', async () => {
    const person = await addPerson(gateway, 'operations', { email: 'watching@example.com' });
    assert.equal((await person.call('session.show')).status, 200);
    const stream = await fetch(`${gateway.manageUrl}/manage/v1/events/stream`, {
      headers: { cookie: person.cookie, origin: ORIGIN, 'sec-fetch-site': 'same-origin' },
      signal: AbortSignal.timeout(20_000),
    });
    assert.equal(stream.status, 200);
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    assert(reader);
    let read = '';
    const isOver = async () => {
      const part = await reader.read();
      read += part.value ?? '';
      return part.done;
    };
    await later(14 * (HOUR / 60), async () => {
      while (!read.includes('still here')) assert.equal(await isOver(), false);
    });
    await later(16 * (HOUR / 60), async () => {
      while (!(await isOver()));
      assert.equal((await person.call('session.show')).status, 401);
    });
  });
});

describe('a dangerous action', () => {
  const funding = { amount: '5.00', currency: 'EUR', reference: 'step-up', reason: 'opening' };
  const call = () => ({ params: { merchantId }, body: funding });

  it('a dangerous action needs a signature of exactly this action, once', async () => {
    assert.match((await admin.call('funds.credit', call())).problem().type, /#step-up-required$/);
    const proof = await proofOf(admin, admin.passkey, 'funds.credit', call());
    const other = { ...call(), body: { ...funding, amount: '500.00' }, headers: { 'step-up': proof }, key: 'a-key' };
    assert.match((await admin.call('funds.credit', other)).problem().detail, /belongs to another act/);
    const used = await admin.call('funds.credit', { ...call(), headers: { 'step-up': proof } });
    assert.match(used.problem().detail, /used before/);
    const right = await proofOf(admin, admin.passkey, 'funds.credit', call());
    const done = { ...call(), headers: { 'step-up': right }, key: 'a-key' };
    const posted = await admin.call('funds.credit', done);
    assert.equal(posted.status, 200);
    assert.deepEqual((await admin.call('funds.credit', done)).value(), posted.value());
  });

  it('another user’s passkey or session does not confirm a dangerous action', async () => {
    const second = await addPerson(gateway, 'administrator', { email: 'second@example.com' });
    const act = { ...call(), body: { ...funding, reference: 'other-person' } };
    const theirs = await proofOf(second, second.passkey, 'funds.credit', act);
    assert.equal((await admin.call('funds.credit', { ...act, headers: { 'step-up': theirs } })).status, 403);
    const mixed = await proofOf(admin, second.passkey, 'funds.credit', act);
    assert.equal((await admin.call('funds.credit', { ...act, headers: { 'step-up': mixed } })).status, 403);
    for (const header of ['x', writeProof({}), writeProof({ code: '1' })])
      assert.equal((await admin.call('funds.credit', { ...act, headers: { 'step-up': header } })).status, 403);
  });
});

describe('the approval of a payout', () => {
  it('the approval of a payout needs a user with the role and a passkey', async () => {
    const merchant = await gateway.merchant({ settings: { 'approval_above.UAH': '10.00' } });
    const approver = await addPerson(gateway, 'approver', { merchantId: merchant.id, email: 'signs@example.com' });
    const viewer = await addPerson(gateway, 'viewer', { merchantId: merchant.id, email: 'looks@example.com' });
    const stranger = await addPerson(gateway, 'approver', { merchantId, email: 'signs-elsewhere@example.com' });
    for (const payoutId of ['waits', 'other']) await merchant.pay(1, payoutId, { amount: '10.01' });
    const call = { params: { merchantId: merchant.id, payoutId: 'waits' }, body: { reason: 'as ordered' } };
    const other = { ...call, params: { ...call.params, payoutId: 'other' } };
    assert.match((await approver.call('payouts.approve', call)).problem().type, /#step-up-required$/);
    const code = writeProof({ code: '123456' });
    const byCode = await approver.call('payouts.approve', { ...call, headers: { 'step-up': code } });
    assert.match(byCode.problem().detail, /with a passkey/);
    assert.equal((await viewer.confirm('payouts.approve', call)).status, 403);
    assert.equal((await stranger.confirm('payouts.approve', call)).status, 404);
    const proof = await proofOf(approver, approver.passkey, 'payouts.approve', other);
    const swapped = await approver.call('payouts.approve', { ...call, headers: { 'step-up': proof } });
    assert.match(swapped.problem().detail, /belongs to another act/);
    const isWaiting = async () =>
      (await approver.call('payouts.show', { params: call.params })).value().pending?.reason === 'awaiting_approval';
    assert.ok(await isWaiting());
    const obstacle = async (person: typeof approver) =>
      (await person.call('payouts.show', { params: call.params })).value().acts[0]?.obstacle;
    assert.equal(await obstacle(approver), null);
    assert.equal(await obstacle(viewer), 'The credential lacks the permission payouts:approve.');
    assert.equal((await approver.confirm('payouts.approve', call)).status, 200);
    await merchant.final('waits');
    assert.match((await obstacle(approver)) ?? '', /already final/);
    const { history } = (await approver.call('payouts.show', { params: call.params })).value();
    assert.equal(history.find(({ event }) => event === 'approved')?.actor, 'signs@example.com');
    assert.match((await approver.call('payouts.cancel', call)).problem().detail, /already final/);
    assert.ok((await gateway.operations.merchants.suspend(merchant.id)).ok);
    const disabled = 'The merchant is suspended. Ask the operator to activate it.';
    await until('every process knows it', async () => {
      const shown = await approver.call('payouts.show', { params: other.params });
      return shown.value().acts[0]?.obstacle === disabled;
    });
    assert.equal((await approver.confirm('payouts.approve', other)).problem().detail, disabled);
    const { acts } = (await approver.call('payouts.show', { params: other.params })).value();
    assert.deepEqual(acts[1], { act: 'payouts.cancel', reason: null, obstacle: null });
    assert.equal((await viewer.call('payouts.cancel', other)).status, 403);
    assert.equal((await approver.call('payouts.cancel', other)).value().blockedReason, 'cancelled');
    const refused = (await approver.call('payouts.show', { params: other.params })).value();
    assert.deepEqual(refused.history.at(-1)?.actor, 'signs@example.com');
  });
});

describe('a reset of credentials', () => {
  it('a reset of credentials needs two administrators, and replaces every credential', async () => {
    const second = await addPerson(gateway, 'administrator', { email: 'reset-admin@example.com' });
    const lost = await addPerson(gateway, 'viewer', { merchantId, email: 'lost@example.com' });
    const order = { params: { personId: lost.personId }, body: { reason: 'lost the phone' } };
    const { invitationId } = (await admin.confirm('people.reset', order)).value();
    const approve = { params: { invitationId }, body: { reason: 'called them' } };
    assert.match((await admin.confirm('people.approveReset', approve)).problem().detail, /A second administrator/);
    const { link } = (await second.confirm('people.approveReset', approve)).value();
    const again = await acceptLink(gateway, secretOfLink(link), 'lost@example.com');
    assert.equal(again.personId, lost.personId);
    assert.equal((await lost.call('session.show')).status, 401);
    assert.equal((await signInWith(lost, {})).status, 401);
    assert.equal((await signInWith(again, {})).status, 200);
  });
});
