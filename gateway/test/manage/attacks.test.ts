/** Attacks by users with an account, a token or a stolen session, each on an object that they must not reach. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Policy } from '../../contract/endpoints/policies.ts';
import type { Proposal } from '../../contract/endpoints/proposals.ts';
import type { EndpointName } from '../../contract/endpoints.ts';
import { MINUTE_MS, systemClock } from '../../src/foundation/clock.ts';
import { type RunningGateway, startGateway } from '../support/gateway/running-gateway.ts';
import { clientWith } from '../support/people/manage-client.ts';
import { acceptLink, addPerson, secretOfLink, type TestPerson } from '../support/people/test-person.ts';

const MIGRATION = new URL('../../src/storage/migrations/0039_no_people_of_operator.sql', import.meta.url);

let gateway: RunningGateway;
let admin: TestPerson;
let second: TestPerson;
before(async () => {
  gateway = await startGateway({ clock: { ...systemClock, now: () => systemClock.now() + offset } });
  admin = await addPerson(gateway, 'administrator', { email: 'admin@example.com' });
  second = await addPerson(gateway, 'administrator', { email: 'second@example.com' });
});
beforeEach(() => {
  offset += MINUTE_MS / 2;
});
after(() => gateway.verifyAndStop());

/** On a fast machine, the test would reach the sign-in limit of one address. */
let offset = 0;
let people = 0;
const newPerson = (role: string, merchantId: string | null = null) =>
  addPerson(gateway, role, { merchantId, email: `attacker${++people}@example.com` });

async function tagOf(person: TestPerson, merchantId: string): Promise<string> {
  return (await person.call('merchants.show', { params: { merchantId } })).headers.get('etag') ?? '';
}

const program = (secret: string) => clientWith(gateway.manageUrl, secret);

describe('the settings of a merchant', () => {
  const edit = async (person: TestPerson, merchantId: string, body: object) =>
    person.confirm('merchants.edit', {
      params: { merchantId },
      body,
      headers: { 'if-match': await tagOf(person, merchantId) },
    });

  it('a merchant user cannot change the operator’s terms', async () => {
    const { id } = await gateway.merchant({ settings: { 'fee_percent.9.EUR': '1.5' } });
    const owner = await newPerson('owner', id);
    for (const settings of [
      { 'fee_fixed.9.EUR': '0' },
      { 'fee_percent.9.EUR': null },
      { 'max_amount.9.EUR': '1000000' },
      { card_attempt_limit: '0' },
      { payout_rate_limit: '0' },
    ])
      assert.match((await edit(owner, id, { settings })).problem().type, /#forbidden$/, JSON.stringify(settings));
    assert.equal((await edit(owner, id, { settings: { callback_ack: 'any_2xx' } })).status, 200);
    assert.equal((await edit(admin, id, { settings: { 'fee_fixed.9.EUR': '0.10' } })).status, 200);
  });

  it('a merchant’s settings and URLs change only with a confirmation of exactly that change', async () => {
    const { id } = await gateway.merchant();
    const owner = await newPerson('owner', id);
    const call = {
      params: { merchantId: id },
      body: { payoutCallbackUrl: 'https://thief.example/' },
      headers: { 'if-match': await tagOf(owner, id) },
    };
    assert.match((await owner.call('merchants.edit', call)).problem().type, /#step-up-required$/);
    assert.equal((await owner.confirm('merchants.edit', call)).status, 200);
  });
});

describe('a second person', () => {
  it('a user cannot approve a reset that their own token proposed', async () => {
    const victim = await newPerson('auditor');
    const secret = (await admin.confirm('tokens.create', { body: { name: 'mine', scopes: ['people:write'] } })).value()
      .secret;
    const order = { params: { personId: victim.personId }, body: { reason: 'lost everything' } };
    const { invitationId } = (await program(secret).call('people.reset', order)).value();
    const approve = { params: { invitationId }, body: { reason: 'seen the passport' } };
    assert.match((await admin.confirm('people.approveReset', approve)).problem().detail, /A second administrator/);
    const alias = await addPerson(gateway, 'administrator', { email: 'admin+2@example.com' });
    assert.match((await alias.confirm('people.approveReset', approve)).problem().detail, /A second administrator/);
    assert.equal((await second.confirm('people.approveReset', approve)).status, 200);
  });

  it('a user who saw the secret of a token cannot decide on its proposals', async () => {
    const { id } = await gateway.merchant({ funds: {} });
    const rules = (acts: EndpointName[]): Policy[] =>
      acts.map((act) => ({ act, currency: null, above: null, merchantId: null }));
    const etag = (await admin.call('policies.list')).headers.get('etag') ?? '';
    const body = { items: rules(['tokens.create', 'funds.credit']), reason: 'two people' };
    (await admin.confirm('policies.set', { body, headers: { 'if-match': etag } })).value();
    const approve = (person: TestPerson, { proposalId, hash }: Proposal) =>
      person.confirm('proposals.approve', { params: { proposalId }, body: { hash } });
    try {
      const order = { body: { name: 'a program', scopes: ['funds:write' as const] } };
      const proposed = (await admin.confirm('tokens.create', order)).json() as Proposal;
      const { secret } = (await approve(second, proposed)).value().answer as { secret: string };
      const credit = { amount: '900.00', currency: 'EUR', reference: 'thief', reason: 'mine' };
      const answer = await program(secret).call('funds.credit', { params: { merchantId: id }, body: credit });
      const theft = answer.json() as Proposal;
      assert.equal(answer.status, 202);
      for (const person of [admin, second])
        assert.match(
          (await approve(person, theft)).problem().detail,
          /your account, email address or passkey/,
          person.email,
        );
    } finally {
      await gateway.database.pool.query('delete from policies');
    }
  });
});

describe('the built-in merchant of the operator', () => {
  it('the built-in merchant has no users and no tokens, because they could decide on the operator’s proposals', async () => {
    const query = { merchantId: 'operator' };
    const invited = { email: 'hidden@example.com', role: 'owner', reason: 'x' };
    const issued = { name: 'hidden', scopes: ['policies:write' as const] };
    assert.equal((await admin.confirm('invitations.create', { query, body: invited })).status, 404);
    assert.equal((await admin.confirm('tokens.create', { query, body: issued })).status, 404);
    const edited = await admin.confirm('merchants.edit', {
      params: query,
      body: { name: 'Renamed' },
      headers: { 'if-match': await tagOf(admin, 'operator') },
    });
    assert.match(edited.problem().detail, /built in/);
  });

  it('an upgrade removes the users, tokens and invitations that an earlier version gave to the built-in merchant', async () => {
    const { personId } = second;
    const { pool } = gateway.database;
    for (const table of ['memberships', 'api_tokens', 'invitations'])
      await pool.query(`alter table ${table} drop constraint ${table}_not_of_operator`);
    await pool.query(
      `insert into memberships (person_id, merchant_id, role, since) values ($1, 'operator', 'owner', now())`,
      [personId],
    );
    await pool.query(`insert into api_tokens (token_id, secret_hash, name, merchant_id, scopes, created_at, expires_at)
      values ('hidden', '', 'hidden', 'operator', '{policies:write}', now(), now() + interval '1 day')`);
    await pool.query(await readFile(MIGRATION, 'utf8'));
    const { rows } = await pool.query(`select 1 from memberships where merchant_id = 'operator'
      union all select 1 from api_tokens where merchant_id = 'operator' and revoked_at is null`);
    assert.deepEqual(rows, []);
    await assert.rejects(pool.query(`update api_tokens set revoked_at = null where token_id = 'hidden'`));
    await pool.query(`delete from api_tokens where token_id = 'hidden'`);
  });
});

describe('a token', () => {
  it('a token loses each permission that its creator loses and is revoked when the creator leaves', async () => {
    const { id } = await gateway.merchant();
    const creator = await newPerson('administrator');
    const create = (scopes: ('rails:write' | 'rails:read')[]) =>
      creator.confirm('tokens.create', { body: { name: 'x', scopes } });
    const client = program((await create(['rails:write', 'rails:read'])).value().secret);
    const pause = { params: { scope: 'merchant' as const, target: id }, body: { reason: 'x' } };
    assert.equal((await client.call('pauses.pause', pause)).status, 200);
    const named = { params: { personId: creator.personId } };
    (await admin.confirm('people.setRole', { ...named, body: { role: 'auditor', reason: 'moved' } })).value();
    assert.match((await client.call('pauses.pause', pause)).problem().type, /#forbidden$/);
    assert.equal((await client.call('pauses.list')).status, 200);
    (await admin.confirm('people.remove', { ...named, body: { reason: 'left' } })).value();
    assert.equal((await client.call('pauses.list')).status, 401);
  });

  it('a token of a merchant has no scope that its creator lacks', async () => {
    const [own, other] = [(await gateway.merchant()).id, (await gateway.merchant()).id];
    const [developer, stranger] = [await newPerson('developer', own), await newPerson('owner', other)];
    const create = (scopes: ('payouts:read' | 'ledger:read')[], query = {}) =>
      developer.confirm('tokens.create', { query, body: { name: 'shop', scopes } });
    const { token, secret } = (await create(['payouts:read'])).value();
    assert.equal(token.merchantId, own);
    const client = program(secret);
    assert.equal((await client.call('payouts.list')).status, 200);
    assert.equal((await client.call('merchants.list')).status, 404);
    assert.match((await create(['ledger:read'])).problem().detail, /lacks ledger:read/);
    assert.equal((await developer.call('tokens.list', { query: { merchantId: other } })).status, 404);
    assert.deepEqual((await stranger.call('tokens.list')).value().items, []);
    const named = { params: { tokenId: token.tokenId } };
    assert.equal((await stranger.call('tokens.revoke', named)).status, 404);
    assert.equal((await client.call('payouts.list')).status, 200);
    assert.deepEqual(
      (await developer.call('tokens.list')).value().items.map(({ tokenId }) => tokenId),
      [token.tokenId],
    );
    assert.notEqual((await developer.call('tokens.revoke', named)).value().revokedAt, null);
    assert.equal((await client.call('payouts.list')).status, 401);
  });

  it('a token created by another token expires no later than that token and is revoked with it', async () => {
    const create = { body: { name: 'parent', scopes: ['tokens:write', 'rails:read'] as const, days: 2 } };
    const parent = (await admin.confirm('tokens.create', create as never)).value();
    const order = { body: { name: 'child', scopes: ['rails:read' as const], days: 300 } };
    const child = (await program(parent.secret).call('tokens.create', order)).value();
    assert.equal(child.token.expiresAt, parent.token.expiresAt);
    assert.equal((await program(child.secret).call('pauses.list')).status, 200);
    await admin.call('tokens.revoke', { params: { tokenId: parent.token.tokenId } });
    assert.equal((await program(child.secret).call('pauses.list')).status, 401);
  });
});

describe('an invitation', () => {
  const invite = async (by: TestPerson, email: string, role: 'owner' | 'viewer') => {
    const body = { email, role, reason: 'x' };
    return secretOfLink((await by.confirm('invitations.create', { body })).value().link);
  };

  it('an invitation becomes void when its inviter or the invited user is removed from the team', async () => {
    const { id } = await gateway.merchant();
    const [owner, bad] = [await newPerson('owner', id), await newPerson('owner', id)];
    const backDoor = await invite(bad, 'backdoor@example.com', 'owner');
    const [first, spare] = [
      await invite(owner, 'twice@example.com', 'owner'),
      await invite(owner, 'twice@example.com', 'owner'),
    ];
    const twice = await acceptLink(gateway, first, 'twice@example.com');
    for (const { personId } of [bad, twice])
      (await owner.confirm('people.remove', { params: { personId }, body: { reason: 'left' } })).value();
    for (const [secret, email] of [
      [backDoor, 'backdoor@example.com'],
      [spare, 'twice@example.com'],
    ] as const)
      await assert.rejects(acceptLink(gateway, secret, email), /used or revoked/);
  });

  it('only the first of two invitations for one former member replaces the credentials when both are accepted concurrently', async () => {
    const [first, other] = [(await gateway.merchant()).id, (await gateway.merchant()).id];
    const owner = await newPerson('owner', first);
    const stranger = await newPerson('owner', other);
    for (let round = 0; round < 4; round++) {
      const email = `former${round}@example.com`;
      const former = await acceptLink(gateway, await invite(owner, email, 'viewer'), email);
      const leave = { params: { personId: former.personId }, body: { reason: 'left' } };
      (await owner.confirm('people.remove', leave)).value();
      const secrets = [await invite(owner, email, 'owner'), await invite(stranger, email, 'viewer')];
      const accepted = await Promise.allSettled(secrets.map((secret) => acceptLink(gateway, secret, email)));
      assert.equal(accepted.filter(({ status }) => status === 'fulfilled').length, 1);
    }
  });

  it('an invitation cannot change a member’s role, so it cannot demote the last owner', async () => {
    const { id } = await gateway.merchant();
    const owner = await newPerson('owner', id);
    const links = [
      await invite(owner, 'climber@example.com', 'viewer'),
      await invite(owner, 'climber@example.com', 'owner'),
    ];
    const climber = await acceptLink(gateway, links[0] ?? '', 'climber@example.com');
    const joined = await climber.call('links.join', { body: { secret: links[1] ?? '' } });
    assert.match(joined.problem().detail, /is already in the team/);
  });
});

describe('a statement', () => {
  it('the audit log records the download of a statement', async () => {
    const { id } = await gateway.merchant({ funds: { EUR: '1.00' } });
    const owner = await newPerson('owner', id);
    const period = { from: '2026-01-01T00:00:00Z', until: '2026-02-01T00:00:00Z' };
    const query = { currency: 'EUR', format: 'csv' as const, ...period };
    assert.equal((await owner.call('statements.show', { params: { merchantId: id }, query })).status, 200);
    const { items } = (await owner.call('audit.list', { query: { act: 'statements.show' } })).value();
    assert.deepEqual(
      items.map(({ phase, object, actor }) => [phase, object, actor.name]),
      ['done', 'begun'].map((phase) => [phase, `merchants/${id}`, owner.email]),
    );
    await gateway.database.pool.query('delete from statement_keys');
    const keys = (await owner.call('statementKeys.list', { params: { merchantId: id } })).value();
    assert.deepEqual(keys.items, []);
  });
});

describe('a team', () => {
  it('a team does not see when its members use another team', async () => {
    const [first, other] = [(await gateway.merchant()).id, (await gateway.merchant()).id];
    const owner = await newPerson('owner', first);
    const shared = await newPerson('viewer', other);
    const body = { email: shared.email, role: 'viewer' as const, reason: 'x' };
    const secret = secretOfLink((await owner.confirm('invitations.create', { body })).value().link);
    (await shared.call('links.join', { body: { secret } })).value();
    const { items } = (await owner.call('people.list')).value();
    assert.equal(items.find(({ email }) => email === shared.email)?.lastSeenAt, null);
  });
});

describe('a stolen session', () => {
  it('a user without passkey and password can add one only in the first 15 minutes of a session', async () => {
    const person = await newPerson('operations');
    await gateway.database.pool.query('delete from passkeys where person_id = $1', [person.personId]);
    await gateway.database.pool.query(`update sessions set way = 'openid' where person_id = $1`, [person.personId]);
    const add = async () => {
      const { challengeId, publicKey } = (await person.call('passkeys.challenge')).value();
      const body = { challengeId, attestation: person.passkey.create(publicKey), name: 'a thief’s' };
      return person.call('passkeys.add', { body });
    };
    await gateway.database.pool.query(
      `update sessions set created_at = created_at - interval '16 minutes' where person_id = $1`,
      [person.personId],
    );
    assert.match((await add()).problem().detail, /Sign in again/);
    await gateway.database.pool.query(
      `update sessions set created_at = created_at + interval '10 minutes' where person_id = $1`,
      [person.personId],
    );
    assert.equal((await add()).status, 200);
  });
});
