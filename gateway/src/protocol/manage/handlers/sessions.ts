/** A signed-in user's own session, sessions and credentials. */

import type { Credentials, SESSION_ENDPOINTS } from '../../../../contract/endpoints/sessions.ts';
import type { Permission } from '../../../../contract/permissions.ts';
import type { Caller, CallerSession } from '../../../domain/people/caller.ts';
import type { PeopleParts } from '../../../domain/people/people-parts.ts';
import {
  addPasskey,
  type CredentialRejection,
  challengeForPasskey,
  challengeForPassword,
  removePasskey,
  removePassword,
  setPassword,
} from '../../../domain/people/sign-in/own-credentials.ts';
import { challengeToSign } from '../../../domain/people/sign-in/person-signature.ts';
import { createRecoveryCodes } from '../../../domain/people/sign-in/recovery-codes.ts';
import { SESSION_LIMIT_MS } from '../../../domain/people/sign-in/session.ts';
import { joinByLink } from '../../../domain/people/team/accept-link.ts';
import { invariant } from '../../../foundation/invariant.ts';
import { fail, ok, type Result } from '../../../foundation/result.ts';
import { Secret } from '../../../foundation/secret.ts';
import { hashOfRequest } from '../acts/step-up.ts';
import { setCookie } from '../callers/cookies.ts';
import { registerOptions, signOptions } from '../callers/passkey-options.ts';
import type { Answered, HandlersOf } from '../handler.ts';
import { type ManageProblem, NOT_FOUND, notFound, WRONG_PASSKEY } from '../problems.ts';
import { instantText, instantTextOrNull } from '../views/instant-text.ts';
import { linkProblem } from './sign-in.ts';

type Handlers = HandlersOf<typeof SESSION_ENDPOINTS>;

export function sessionHandlers(parts: PeopleParts): Handlers {
  return { ...ownSessions(parts), ...ownCredentials(parts) };
}

/** The routes give these endpoints to signed-in users only. */
function sessionOf({ session }: Caller): CallerSession {
  invariant(session, 'caller of an endpoint for people has no session');
  return session;
}

function ownSessions(parts: PeopleParts) {
  const { people, sessions, merchants, clock } = parts;
  return {
    async 'session.show'({ caller }) {
      const { sessionId, personId, way } = sessionOf(caller);
      const person = await people.find(personId);
      if (!person) return fail(NOT_FOUND);
      const memberships = (await people.memberships(personId)).map(({ merchantId, role }) => ({ merchantId, role }));
      const permissions = [...(caller.permissions ?? [])] as Permission[];
      const { email, name } = person;
      const { merchantId, isViewing = false } = caller;
      return ok({
        answer: { sessionId, person: { personId, email, name }, merchantId, isViewing, permissions, memberships, way },
      });
    },
    async 'session.end'({ caller }) {
      const { personId, sessionId } = sessionOf(caller);
      const ended = await sessions.end(personId, sessionId, clock.now());
      return ok({
        answer: { ended },
        change: { before: null, after: { ended: sessionId } },
        cookies: [setCookie('session', null)],
      });
    },
    async 'session.switch'({ caller, body: { merchantId } }) {
      const { personId, sessionId, way } = sessionOf(caller);
      const isMember = (await people.memberships(personId)).some((each) => each.merchantId === merchantId);
      // The operator's identity provider is trusted for operator users only.
      if (!isMember || (way === 'openid' && merchantId !== null)) return fail(NOT_FOUND);
      await sessions.switchTo(sessionId, merchantId);
      const before = { merchantId: caller.merchantId };
      return ok({ answer: { merchantId }, change: { before, after: { merchantId } } });
    },
    async 'session.viewAs'({ caller, params: { merchantId } }) {
      if (!caller.session || !(await merchants.find(merchantId))) return fail(NOT_FOUND);
      await sessions.viewAs(caller.session.sessionId, merchantId);
      return ok({ answer: { merchantId }, change: { before: null, after: { viewedBy: caller.actor.name } } });
    },
    async 'session.stepUp'({ caller, body }) {
      const { endpoint, params = {}, query = {} } = body;
      const hash = hashOfRequest(endpoint, caller, { params, query, body: body.body }, parts.fingerprint);
      if (!hash.ok) return hash;
      const issued = await challengeToSign(parts, sessionOf(caller), hash.value);
      return ok({ answer: signOptions(parts.site, issued, issued.passkeys) });
    },
    async 'sessions.list'({ caller }) {
      const own = sessionOf(caller);
      const found = await sessions.list(own.personId, clock.now() - SESSION_LIMIT_MS);
      const items = found.map(({ sessionId, merchantId, way, address, userAgent, createdAt, lastUsedAt }) => ({
        sessionId,
        isThis: sessionId === own.sessionId,
        merchantId,
        way,
        address,
        userAgent,
        createdAt: instantText(createdAt),
        lastUsedAt: instantText(lastUsedAt),
      }));
      return ok({ answer: { items } });
    },
    async 'sessions.end'({ caller, params: { sessionId } }) {
      const ended = await sessions.end(sessionOf(caller).personId, sessionId, clock.now());
      return ended ? ok({ answer: { ended }, change: { before: null, after: { ended: sessionId } } }) : fail(NOT_FOUND);
    },
    async 'links.join'({ caller, body, visit }) {
      const joined = await joinByLink(parts, visit, sessionOf(caller).personId, new Secret(body.secret));
      if (!joined.ok) return fail(linkProblem(joined.error));
      const answer = { merchantId: joined.value.merchantId, role: joined.value.role ?? '' };
      return ok({ answer, change: { before: null, after: answer } });
    },
  } satisfies Partial<Handlers>;
}

function ownCredentials(parts: PeopleParts) {
  const { people } = parts;
  const changed = async (
    caller: Caller,
    what: object,
    result: Result<unknown, CredentialRejection>,
  ): Promise<Result<Answered<Credentials>, ManageProblem>> =>
    result.ok
      ? ok({ answer: await credentialsOf(parts, caller), change: { before: null, after: what } })
      : fail(CREDENTIAL_PROBLEMS[result.error]);
  return {
    'credentials.show': async ({ caller }) => ok({ answer: await credentialsOf(parts, caller) }),
    async 'passkeys.challenge'({ caller }) {
      const issued = await challengeForPasskey(parts, sessionOf(caller));
      const person = await people.find(sessionOf(caller).personId);
      return person ? ok({ answer: registerOptions(parts.site, issued, person, issued.passkeys) }) : fail(NOT_FOUND);
    },
    async 'passkeys.add'({ caller, body }) {
      const added = await addPasskey(parts, sessionOf(caller), body);
      return changed(caller, added.ok ? { added: added.value.credentialId, name: body.name } : {}, added);
    },
    'passkeys.remove': async ({ caller, params: { credentialId } }) =>
      changed(caller, { removed: credentialId }, await removePasskey(parts, sessionOf(caller), credentialId)),
    async 'password.challenge'({ caller }) {
      const { challengeId, secret, link } = await challengeForPassword(parts, sessionOf(caller));
      return ok({ answer: { challengeId, secret: secret.reveal(), link: link.reveal() } });
    },
    'password.set': async ({ caller, body: { challengeId, password, code } }) =>
      changed(
        caller,
        { password: 'set' },
        await setPassword(parts, sessionOf(caller), { challengeId, code, password: new Secret(password) }),
      ),
    'password.remove': async ({ caller }) =>
      changed(caller, { password: 'removed' }, await removePassword(parts, sessionOf(caller))),
    async 'recoveryCodes.create'({ caller }) {
      const codes = await createRecoveryCodes(parts, sessionOf(caller).personId);
      const change = { before: null, after: { recoveryCodes: codes.length } };
      return ok({ answer: { codes: codes.map((code) => code.reveal()) }, change });
    },
  } satisfies Partial<Handlers>;
}

async function credentialsOf({ people }: PeopleParts, caller: Caller): Promise<Credentials> {
  const { personId } = sessionOf(caller);
  const [passkeys, password, recoveryCodesLeft] = await Promise.all([
    people.passkeys(personId),
    people.findPassword(personId),
    people.countRecoveryCodes(personId),
  ]);
  return {
    passkeys: passkeys.map(({ credentialId, name, createdAt, lastUsedAt }) => ({
      credentialId,
      name,
      createdAt: instantText(createdAt),
      lastUsedAt: instantTextOrNull(lastUsedAt),
    })),
    passwordChangedAt: instantTextOrNull(password?.changedAt ?? null),
    recoveryCodesLeft,
  };
}

const CREDENTIAL_PROBLEMS: Readonly<Record<CredentialRejection, ManageProblem>> = {
  wrong_passkey: WRONG_PASSKEY,
  wrong_code: {
    code: 'invalid-request',
    field: '/code',
    detail: 'The code is incorrect, or the challenge has expired. Get a new challenge.',
  },
  not_found: notFound('You have no credential with this id. GET /manage/v1/credentials lists your credentials.'),
  last_credential: { code: 'rejected', detail: 'This is the last credential. Add another credential first.' },
};
