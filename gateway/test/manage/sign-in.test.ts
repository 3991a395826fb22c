/** Sign-in, sessions and cross-site requests: what admits a user, and what keeps others out. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Secret as OtpSecret, TOTP } from 'otpauth';
import { systemClock } from '../../src/foundation/clock.ts';
import { ORIGIN, type RunningGateway, startGateway } from '../support/gateway/running-gateway.ts';
import {
  addPerson,
  cookieOf,
  personWith,
  signIn,
  type TestPerson,
  visitor,
  writeProof,
} from '../support/people/test-person.ts';
import { startMailServer, type TestMailServer } from '../support/servers/mail-server.ts';
import {
  CLIENT,
  type OpenIdUser,
  type ProviderFaults,
  startOpenIdProvider,
  type TestOpenIdProvider,
} from '../support/servers/openid-provider.ts';

const MINUTE = 60_000;
const PASSWORD = 'correct horse battery staple';
let offset = 0;
const now = () => systemClock.now() + offset;
let mail: TestMailServer;
let provider: TestOpenIdProvider;
let gateway: RunningGateway;
let merchantId: string;
before(async () => {
  mail = await startMailServer();
  provider = await startOpenIdProvider();
  gateway = await startGateway({
    clock: { ...systemClock, now },
    variables: {
      SMTP_URL: mail.url,
      MAIL_FROM: 'gateway@example.com',
      TRUSTED_PROXIES: '127.0.0.1',
      OPENID_ISSUER: provider.issuer,
      OPENID_CLIENT_ID: CLIENT.id,
      OPENID_CLIENT_SECRET: CLIENT.secret,
    },
  });
  merchantId = (await gateway.merchant()).id;
});
after(async () => {
  await gateway.verifyAndStop();
  await provider.close();
  await mail.close();
});

let named = 0;
const newPerson = (role = 'viewer', of: string | null = merchantId) => {
  named += 1;
  return addPerson(gateway, role, { merchantId: of, email: `person${named}@example.com` });
};

/** Sets a password with an authenticator app. Returns a function that reads its code, `steps` half minutes from now. */
async function addPassword(person: TestPerson): Promise<(steps?: number) => string> {
  const { challengeId, secret } = (await person.call('password.challenge')).value();
  const app = new TOTP({ secret: OtpSecret.fromBase32(secret) });
  // Move to the beginning of a half minute, so that no code expires during the test.
  offset += 30_000 - (now() % 30_000);
  const codeAt = (steps = 0) => app.generate({ timestamp: now() + steps * 30_000 });
  (await person.confirm('password.set', { body: { challengeId, password: PASSWORD, code: codeAt(-1) } })).value();
  return codeAt;
}

const signInByPassword = (email: string, code: string, password = PASSWORD) =>
  visitor(gateway).call('signIn.password', { body: { email, password, code } });

describe('a password', () => {
  it('a user signs in with a password and a code, and each code works once', async () => {
    const person = await newPerson();
    const codeAt = await addPassword(person);
    const code = codeAt();
    assert.equal((await signInByPassword(person.email, code, 'a wrong password')).status, 401);
    assert.equal((await signInByPassword(person.email.toUpperCase(), code)).status, 200);
    assert.equal((await signInByPassword(person.email, code)).status, 401);
    assert.equal((await signInByPassword(person.email, codeAt(-1))).status, 401);
    assert.equal((await signInByPassword(person.email, codeAt(1))).status, 200);
    assert.equal((await signInByPassword(person.email, codeAt(5))).status, 401);
  });

  it('ten failed attempts lock a password for half an hour, but no passkey', async () => {
    const person = await newPerson();
    const codeAt = await addPassword(person);
    const attempts = await Promise.all(
      Array.from({ length: 10 }, () => signInByPassword(person.email, '000000', 'wrong')),
    );
    assert.deepEqual([...new Set(attempts.map(({ status }) => status))], [401]);
    assert.equal((await signInByPassword(person.email, codeAt())).status, 401);
    assert.equal((await (await signIn(gateway, person)).call('session.show')).status, 200);
    offset += 29 * MINUTE;
    assert.equal((await signInByPassword(person.email, codeAt())).status, 401);
    offset += 2 * MINUTE;
    assert.equal((await signInByPassword(person.email, codeAt())).status, 200);
  });

  it('a failed password sign-in does not reveal whether the user exists', async () => {
    const without = await newPerson();
    const known = await newPerson();
    await addPassword(known);
    const said = new Set<string>();
    /** Returns the fastest of three, because a busy machine only adds time. */
    const leastMs = async (email: string) => {
      const times: number[] = [];
      for (let attempt = 0; attempt < 3; attempt++) {
        const start = performance.now();
        const { detail, type } = (await signInByPassword(email, '000000', 'wrong')).problem();
        times.push(performance.now() - start);
        said.add(`${type} ${detail}`);
      }
      return Math.min(...times);
    };
    const reference = await leastMs(known.email);
    for (const email of [without.email, 'nobody@example.com']) {
      const tookMs = await leastMs(email);
      assert.ok(tookMs > reference / 5, `${tookMs} of ${reference} ms`);
    }
    assert.equal(said.size, 1);
  });

  it('a user with a password confirms an action with a code, and each code works once', async () => {
    const person = await newPerson('owner');
    const codeAt = await addPassword(person);
    const header = { 'step-up': writeProof({ code: codeAt() }) };
    const act = { body: { email: 'totp@example.com', role: 'viewer', reason: 'x' }, headers: header } as const;
    assert.equal((await person.call('invitations.create', act)).status, 200);
    assert.match((await person.call('invitations.create', act)).problem().type, /#step-up-required$/);
  });

  it('no table contains a user’s password, and no stored response contains its secret', async () => {
    const person = await newPerson();
    await addPassword(person);
    for (const table of ['passwords', 'act_answers', 'audit_entries', 'challenges']) {
      const { rows } = await gateway.database.pool.query(`select ${table}::text as text from ${table}`);
      for (const { text } of rows) assert.ok(!text.includes(PASSWORD), table);
    }
  });
});

describe('a recovery code', () => {
  it('a recovery code works once, and its session can only add a credential', async () => {
    const person = await newPerson();
    const { codes } = (await person.confirm('recoveryCodes.create')).value();
    assert.equal(new Set(codes).size, 10);
    const recover = (code = codes[0] ?? '') =>
      visitor(gateway).call('signIn.recovery', { body: { email: person.email, code } });
    const recovered = await recover();
    const session = personWith(gateway, { ...person, cookie: cookieOf(recovered) });
    assert.deepEqual((await session.call('session.show')).value().permissions, []);
    assert.equal((await session.call('merchants.show', { params: { merchantId } })).status, 403);
    assert.equal((await recover()).status, 401);
    const { challengeId, publicKey } = (await session.call('passkeys.challenge')).value();
    const { createSoftwarePasskey } = await import('../support/people/software-passkey.ts');
    const device = createSoftwarePasskey(ORIGIN);
    const body = { challengeId, attestation: device.create(publicKey), name: 'a new device' };
    assert.equal((await session.call('passkeys.add', { body })).value().passkeys.length, 2);
    assert.equal((await (await signIn(gateway, { ...session, passkey: device })).call('session.show')).status, 200);
  });
});

describe('a session', () => {
  it('a session ends after its idle time: an hour for merchant users, 15 minutes for operator users', async () => {
    const operator = await newPerson('support', null);
    const merchant = await newPerson();
    const status = async (person: TestPerson) => (await person.call('session.show')).status;
    offset += 14 * MINUTE;
    assert.deepEqual([await status(operator), await status(merchant)], [200, 200]);
    offset += 15 * MINUTE;
    assert.deepEqual([await status(operator), await status(merchant)], [401, 200]);
    offset += 60 * MINUTE;
    assert.equal(await status(merchant), 401);
  });

  it('a session ends after twelve hours even if it is in use', async () => {
    const person = await newPerson();
    for (let minutes = 0; minutes < 12 * 60 - 50; minutes += 50) {
      offset += 50 * MINUTE;
      if (minutes + 50 < 12 * 60) assert.equal((await person.call('session.show')).status, 200);
    }
    offset += 50 * MINUTE;
    assert.equal((await person.call('session.show')).status, 401);
  });

  it('a session has a new token at each sign-in', async () => {
    const person = await newPerson();
    const { challengeId, publicKey } = (await visitor(gateway).call('signIn.challenge')).value();
    const body = { challengeId, assertion: person.passkey.get(publicKey) };
    const planted = visitor(gateway, { cookie: person.cookie });
    const again = await planted.call('signIn.passkey', { body });
    const cookie = cookieOf(again);
    assert.notEqual(cookie, person.cookie);
    assert.equal((await person.call('session.show')).status, 401);
    assert.equal((await personWith(gateway, { ...person, cookie }).call('session.show')).status, 200);
    const [set = ''] = again.headers.getSetCookie();
    for (const attribute of ['__Host-', 'HttpOnly', 'SameSite=Strict', 'Secure', 'Path=/'])
      assert.ok(set.includes(attribute));
    const invented = personWith(gateway, { ...person, cookie: `__Host-gateway-session=${'x'.repeat(43)}` });
    assert.equal((await invented.call('session.show')).status, 401);
  });

  it('a user can list and immediately end only their own sessions', async () => {
    const person = await newPerson();
    const other = await signIn(gateway, person);
    const stranger = await newPerson();
    const { items } = (await person.call('sessions.list')).value();
    const second = items.find(({ isThis }) => !isThis);
    assert.equal(items.length, 2);
    const end = { params: { sessionId: second?.sessionId ?? '' } };
    assert.equal((await stranger.call('sessions.end', end)).status, 404);
    (await person.call('sessions.end', end)).value();
    assert.equal((await other.call('session.show')).status, 401);
    const signedOut = await person.call('session.end');
    assert.match(signedOut.headers.getSetCookie()[0] ?? '', /Max-Age=0/);
    assert.equal((await person.call('session.show')).status, 401);
  });

  it('no table contains the token of a session', async () => {
    const person = await newPerson();
    const token = person.cookie.split('=')[1] ?? '';
    const { rows } = await gateway.database.pool.query('select sessions::text as text from sessions');
    assert.ok(token.length === 43 && rows.length > 0 && rows.every(({ text }) => !text.includes(token)));
  });
});

describe('a request with a cookie', () => {
  it('a request with a cookie is rejected when another site caused it, or when it lacks X-Gateway-Client', async () => {
    const person = await newPerson();
    const switching = { body: { merchantId } };
    const from = (headers: Readonly<Record<string, string>>) =>
      person.call('session.switch', { ...switching, headers });
    assert.equal((await from({})).status, 200);
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
    ])
      assert.match((await from(headers)).problem().type, /#cross-site$/, JSON.stringify(headers));
    const bare = await fetch(`${gateway.manageUrl}/manage/v1/session/switch`, {
      method: 'POST',
      headers: { cookie: person.cookie, 'content-type': 'application/json', 'idempotency-key': 'bare' },
      body: JSON.stringify(switching.body),
    });
    assert.equal(bare.status, 403);
    assert.equal((await person.call('session.show', { headers: { 'sec-fetch-site': 'cross-site' } })).status, 403);
    const signingIn = await visitor(gateway, { origin: 'https://evil.example' }).call('signIn.challenge');
    assert.equal(signingIn.status, 403);
  });
});

describe('a sign-in at the OpenID Connect provider', () => {
  async function enter(user: OpenIdUser, faults: ProviderFaults = {}, cookie?: string) {
    const started = await visitor(gateway).call('signIn.openid');
    const query = provider.authorize(started.value().url, user, faults);
    return visitor(gateway, { cookie: cookie ?? cookieOf(started) }).call('signIn.openidReturn', { body: { query } });
  }

  it('a sign-in at the OpenID Connect provider lets in operator users by their verified address, and afterwards by their account', async () => {
    const person = await newPerson('operations', null);
    const entered = await enter({ sub: 'u1', email: person.email, email_verified: true });
    assert.equal(entered.value().personId, person.personId);
    assert.equal(
      (await enter({ sub: 'u1', email: 'renamed@example.com', email_verified: true })).value().personId,
      person.personId,
    );
    const taken = await enter({ sub: 'u2', email: person.email, email_verified: true });
    assert.equal(taken.status, 401);
  });

  it('a forged or replayed response of the OpenID Connect provider is rejected', async () => {
    const person = await newPerson('operations', null);
    const user = { sub: 'u3', email: person.email, email_verified: true };
    const ofMerchant = await newPerson('owner');
    assert.equal((await enter({ ...user, email_verified: false })).status, 401);
    assert.equal((await enter({ sub: 'u4', email: 'nobody@example.com', email_verified: true })).status, 401);
    assert.equal((await enter({ sub: 'u5', email: ofMerchant.email, email_verified: true })).status, 401);
    for (const faults of [{ nonce: 'another' }, { audience: 'another' }, { forged: true }])
      assert.equal((await enter(user, faults)).status, 401, JSON.stringify(faults));
    assert.equal((await enter(user, {}, '__Host-gateway-openid=other.browser')).status, 401);
    const started = await visitor(gateway).call('signIn.openid');
    const query = provider.authorize(started.value().url, user);
    const back = visitor(gateway, { cookie: cookieOf(started) });
    assert.equal((await back.call('signIn.openidReturn', { body: { query } })).status, 200);
    assert.equal((await back.call('signIn.openidReturn', { body: { query } })).status, 401);
  });
});

describe('an invitation by email', () => {
  it('an invitation by email contains the link that the inviter sees', async () => {
    const owner = await newPerson('owner');
    const body = { email: 'mailed@example.com', role: 'viewer', reason: 'x' } as const;
    const { link, mailed } = (await owner.confirm('invitations.create', { body })).value();
    assert.equal(mailed, true);
    const message = mail.messages.find((each) => each.includes('To: mailed@example.com')) ?? '';
    assert.ok(message.replace(/=\r\n/g, '').includes(link.slice(link.indexOf('#'))), message);
  });
});

describe('the sign-in of one address', () => {
  it('sign-ins of one address, or of one IPv6 site, are limited per minute', async () => {
    for (const addressOf of [() => '203.0.113.9', (attempt: number) => `2001:db8::${attempt}`]) {
      const attempts = Array.from({ length: 70 }, (_, attempt) =>
        visitor(gateway).call('signIn.challenge', { headers: { 'x-forwarded-for': addressOf(attempt) } }),
      );
      assert.ok((await Promise.all(attempts)).some(({ status }) => status === 429));
    }
    offset += MINUTE;
    assert.equal((await visitor(gateway).call('signIn.challenge')).status, 200);
  });
});
