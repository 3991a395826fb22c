/** Signing in, and accepting single-use links. */
import type { SIGN_IN_ENDPOINTS, SignedIn } from '../../../../contract/endpoints/sign-in.ts';
import type { PeopleParts, Visit } from '../../../domain/people/people-parts.ts';
import { authenticateSession, type StartedSession } from '../../../domain/people/sign-in/session.ts';
import {
  challengeToSignIn,
  signInByOpenId,
  signInByPasskey,
  signInByPassword,
  signInByRecoveryCode,
  startOpenId,
} from '../../../domain/people/sign-in/sign-in.ts';
import { acceptLink, challengeOfLink, findLink, type LinkRejection } from '../../../domain/people/team/accept-link.ts';
import { MINUTE_MS } from '../../../foundation/clock.ts';
import { fail, ok, type Result } from '../../../foundation/result.ts';
import { Secret } from '../../../foundation/secret.ts';
import { addressKey } from '../../authentication/client-address.ts';
import { createRateLimiter } from '../../authentication/rate-limit.ts';
import { setCookie } from '../callers/cookies.ts';
import { registerOptions, signOptions } from '../callers/passkey-options.ts';
import type { Answered, HandlersOf, ManageRequest } from '../handler.ts';
import { type ManageProblem, notFound, WRONG_PASSKEY } from '../problems.ts';
import { instantText } from '../views/instant-text.ts';

/** Requests of one address. People behind one address share it. */
const PER_MINUTE = 60;

type Visited = Pick<ManageRequest<never>, 'visit' | 'cookies'>;

export function signInHandlers(parts: PeopleParts): HandlersOf<typeof SIGN_IN_ENDPOINTS> {
  const limiter = createRateLimiter(parts.clock, MINUTE_MS);
  const limited = async <Value>(
    { address }: Visit,
    answer: () => Promise<Result<Value, ManageProblem>>,
  ): Promise<Result<Value, ManageProblem>> =>
    limiter.take(addressKey(address), PER_MINUTE) > 0 ? fail(TOO_MANY) : answer();
  const entering = ({ visit, cookies }: Visited, enter: () => Promise<StartedSession | undefined>) =>
    limited(visit, async () => {
      const started = await enter();
      return started ? entered(parts, cookies, started) : fail(FAILED);
    });
  return {
    'signIn.challenge': ({ visit }) =>
      limited(visit, async () => ok({ answer: signOptions(parts.site, await challengeToSignIn(parts), []) })),
    'signIn.passkey': (request) => entering(request, () => signInByPasskey(parts, request.visit, request.body)),
    'signIn.password': (request) => {
      const { email, password, code } = request.body;
      return entering(request, () =>
        signInByPassword(parts, request.visit, { email, code, password: new Secret(password) }),
      );
    },
    'signIn.recovery': (request) => entering(request, () => signInByRecoveryCode(parts, request.visit, request.body)),
    'signIn.openid': ({ visit }) =>
      limited(visit, async () => {
        const started = await startOpenId(parts).catch(() => undefined);
        if (!started) return fail(NO_PROVIDER);
        return ok({ answer: { url: started.url }, cookies: [setCookie('openid', started.binding)] });
      }),
    'signIn.openidReturn': (request) =>
      entering(request, () =>
        signInByOpenId(parts, request.visit, { query: request.body.query, binding: request.cookies.openid }),
      ),
    'links.show': ({ visit, body }) =>
      limited(visit, async () => {
        const found = await findLink(parts, new Secret(body.secret));
        if (!found) return fail(linkProblem('no_such_link'));
        const { purpose, email, merchantId, role, expiresAt } = found.invitation;
        return ok({ answer: { purpose, email, merchantId, role, expiresAt: instantText(expiresAt) } });
      }),
    'links.challenge': ({ visit, body }) =>
      limited(visit, async () => {
        const issued = await challengeOfLink(parts, new Secret(body.secret));
        if (!issued) return fail(linkProblem('no_such_link'));
        const { personId, email, name } = issued;
        const label = email ?? parts.site.name;
        return ok({ answer: registerOptions(parts.site, issued, { personId, email: label, name: name ?? label }, []) });
      }),
    'links.accept': ({ visit, body, cookies }) =>
      limited(visit, async () => {
        const { secret, email = null, ...rest } = body;
        const accepted = await acceptLink(parts, visit, { ...rest, email, secret: new Secret(secret) });
        return accepted.ok ? entered(parts, cookies, accepted.value) : fail(linkProblem(accepted.error));
      }),
  };
}

/** The new session replaces the one that the browser had. */
async function entered(
  parts: PeopleParts,
  cookies: Visited['cookies'],
  { token, session }: StartedSession,
): Promise<Result<Answered<SignedIn>, ManageProblem>> {
  const before = cookies.session && (await authenticateSession(parts, cookies.session, false))?.session;
  if (before) await parts.sessions.end(before.personId, before.sessionId, parts.clock.now());
  const { sessionId, personId, merchantId } = session;
  return ok({ answer: { sessionId, personId, merchantId }, cookies: [setCookie('session', token)] });
}

/** The same for every cause, so that the response does not show which users exist. */
const FAILED: ManageProblem = {
  code: 'sign-in-failed',
  detail:
    'The credential is invalid or locked. Ten failed attempts lock a password for 30 minutes. Passkeys are never locked.',
};

const NO_PROVIDER: ManageProblem = {
  code: 'rejected',
  detail: 'No OpenID Connect provider is configured (OPENID_ISSUER), or it does not respond. Sign in with a passkey.',
};

const TOO_MANY: ManageProblem = {
  code: 'too-many-requests',
  detail: 'Too many sign-in requests from this network address. Wait a minute.',
};

const LINK_PROBLEMS: Readonly<Record<LinkRejection, ManageProblem>> = {
  no_such_link: notFound('The link was used or revoked, or has expired. Ask for a new link.'),
  sign_in_first: {
    code: 'rejected',
    detail:
      'The user of this link already has an account. Sign in, and accept the link with POST /manage/v1/links/join.',
  },
  already_a_member: {
    code: 'rejected',
    detail: 'The user is already in the team. The link does not change their role.',
  },
  other_person: { code: 'rejected', detail: 'The link is for another email address.' },
  invalid_email: { code: 'invalid-request', field: '/email', detail: 'email must be an email address.' },
  wrong_passkey: WRONG_PASSKEY,
};

export function linkProblem(rejection: LinkRejection): ManageProblem {
  return LINK_PROBLEMS[rejection];
}
