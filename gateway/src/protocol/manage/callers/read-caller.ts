/**
 * The caller of a request: a program with its token, or a user with a session cookie. Browsers send a cookie with requests
 * that another site caused, so such a request must prove that it comes from the gateway's own pages.
 */
import type { FastifyRequest } from 'fastify';
import { type Endpoint, isWrite } from '../../../../contract/parts/endpoint.ts';
import { CLIENT_HEADER } from '../../../../contract/parts/passkey-parts.ts';
import { SCOPE_NAMES } from '../../../../contract/permissions.ts';
import { type Caller, mayUse } from '../../../domain/people/caller.ts';
import { type Visit, visitorAt } from '../../../domain/people/people-parts.ts';
import { fail, ok, type Result } from '../../../foundation/result.ts';
import { Secret } from '../../../foundation/secret.ts';
import type { ManageProblem } from '../problems.ts';
import { readCookies } from './cookies.ts';

export interface CallerParts {
  /** The caller of every request. Only the command line sets it, in an API that never listens. */
  readonly commandLine?: Caller | undefined;
  /** Both resolve to undefined if the token, or the session, is not valid now. */
  readonly authenticate: {
    token(credential: Secret): Promise<Caller | undefined>;
    /** `isUse` is false for a request that was authenticated before, and is still open. */
    session(token: Secret, isUse: boolean): Promise<Caller | undefined>;
  };
  /** The origin of the pages. */
  readonly origin: string;
}

export async function readCaller(
  parts: CallerParts,
  endpoint: Endpoint,
  request: FastifyRequest,
  isUse: boolean,
): Promise<Result<Caller, ManageProblem>> {
  if (parts.commandLine) return ok(parts.commandLine);
  const { authorization, cookie } = request.headers;
  if (endpoint.audience === 'anyone') {
    const problem = authorization === undefined ? rejectOtherSites(parts, endpoint, request) : undefined;
    const actor = visitorAt(visitOf(request));
    return problem ? fail(problem) : ok({ actor, merchantId: null, permissions: new Set<string>() });
  }
  // Browsers never add an Authorization header on their own, so a request with one cannot be a CSRF.
  const session = authorization === undefined ? readCookies(cookie).session : null;
  const caller = session
    ? await parts.authenticate.session(session, isUse)
    : await authenticateBearer(parts, authorization);
  if (!caller) return fail(UNAUTHENTICATED);
  const problem = session ? rejectOtherSites(parts, endpoint, request) : undefined;
  return problem ? fail(problem) : ok(caller);
}

const UNAUTHENTICATED: ManageProblem = {
  code: 'unauthenticated',
  detail: 'Sign in, or send the header "Authorization: Bearer TOKEN" with a token that is neither expired nor revoked.',
};

/** A token in the query would be in every log, so only the header is accepted. */
async function authenticateBearer(parts: CallerParts, header: string | undefined): Promise<Caller | undefined> {
  const [, token] = /^Bearer ([\x21-\x7e]{1,200})$/.exec(header ?? '') ?? [];
  const caller = token === undefined ? undefined : await parts.authenticate.token(new Secret(token));
  if (!caller) return undefined;
  // Only a user may approve, whatever scopes the stored token has.
  return { ...caller, permissions: new Set(SCOPE_NAMES.filter((scope) => mayUse(caller, scope))) };
}

function rejectOtherSites(
  { origin: own }: CallerParts,
  endpoint: Endpoint,
  { headers }: FastifyRequest,
): ManageProblem | undefined {
  const { 'sec-fetch-site': site, origin } = headers;
  if (site !== undefined && site !== 'same-origin' && !(site === 'none' && !isWrite(endpoint)))
    return { code: 'cross-site', detail: 'Another site caused this request.' };
  if (origin !== undefined && origin !== own)
    return { code: 'cross-site', detail: `The origin of the gateway’s pages is ${own} (MANAGE_ORIGIN).` };
  if (isWrite(endpoint) && headers[CLIENT_HEADER] === undefined)
    return { code: 'cross-site', detail: 'Send the header X-Gateway-Client with the name of the program.' };
  return undefined;
}

export function visitOf({ ip, id, headers }: FastifyRequest): Visit {
  return { address: ip, requestId: id, userAgent: headers['user-agent'] ?? '' };
}
