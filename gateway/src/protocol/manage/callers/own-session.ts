/** The own session of the visitor of a page, as `session.show` would return. */
import type { FastifyRequest } from 'fastify';
import { ENDPOINTS, type Endpoints } from '../../../../contract/endpoints.ts';
import { type Clock, SECOND_MS } from '../../../foundation/clock.ts';
import type { HandlersOf } from '../handler.ts';
import { rejectCaller } from './authorize-caller.ts';
import { readCookies } from './cookies.ts';
import { type CallerParts, readCaller, visitOf } from './read-caller.ts';

interface OwnSessionParts extends CallerParts {
  readonly handlers: Pick<HandlersOf<Endpoints>, 'session.show'>;
  readonly clock: Clock;
}

/** The session saves the page a request, so a page that waits longer for it gains nothing. */
export const SESSION_PATIENCE_MS = SECOND_MS;

/** Null if the visitor is not signed in. Undefined if unknown: another site led here, or the database was too slow. */
export async function readOwnSession(
  parts: OwnSessionParts,
  request: FastifyRequest,
): Promise<object | null | undefined> {
  const cookies = readCookies(request.headers.cookie);
  if (cookies.session === null) return null;
  const over = new AbortController();
  const late = parts.clock.sleep(SESSION_PATIENCE_MS, over.signal).then(() => undefined);
  try {
    return await Promise.race([readSession(parts, request, cookies), late]);
  } finally {
    over.abort('it is over');
  }
}

/** Never rejects. */
async function readSession(
  parts: OwnSessionParts,
  request: FastifyRequest,
  cookies: ReturnType<typeof readCookies>,
): Promise<object | null | undefined> {
  const endpoint = ENDPOINTS['session.show'];
  try {
    const caller = await readCaller(parts, endpoint, request, true);
    if (!caller.ok) return caller.error.code === 'unauthenticated' ? null : undefined;
    if (rejectCaller(endpoint, caller.value, request)) return undefined;
    const asked = { params: {}, query: {}, body: undefined, ifMatch: null, act: '', visit: visitOf(request), cookies };
    const shown = await parts.handlers['session.show']({ ...asked, caller: caller.value });
    return shown.ok && 'answer' in shown.value ? shown.value.answer : undefined;
  } catch {
    // The page requests it again and shows the failure.
    return undefined;
  }
}
