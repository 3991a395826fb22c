/** How users sign in and manage their credentials. */
import assert from 'node:assert/strict';
import { Secret as OtpSecret, TOTP } from 'otpauth';
import { ORIGIN } from '../../support/gateway/running-gateway.ts';
import type { Values } from '../../support/people/outside-program.ts';
import { PAGE, reason } from '../../support/people/outside-world.ts';
import { createSoftwarePasskey } from '../../support/people/software-passkey.ts';
import { merchantId, type OutsideStage } from './outside-stage.ts';

export async function signInByOpenId(stage: OutsideStage): Promise<void> {
  const { world, ben } = stage;
  const visitor = world.program({ headers: PAGE });
  const { url } = await visitor.do('signIn.openid');
  const user = { sub: 'ben', email: 'ben@example.com', email_verified: true };
  const returned = world.program({ headers: { ...PAGE, cookie: visitor.cookie } });
  const query = world.provider.authorize(url, user);
  assert.equal((await returned.do('signIn.openidReturn', { query })).personId, ben.personId);
}

export async function keepCredentials(stage: OutsideStage): Promise<void> {
  const { world, operator, ann, ben } = stage;
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
}
