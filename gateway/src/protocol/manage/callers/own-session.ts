/** The own session of the visitor of a page, as `session.show` would answer. */
import type { FastifyRequest } from 'fastify';
import { ENDPOINTS, type Endpoints } from '../../../../contract/endpoints.ts';
import type { HandlersOf } from '../handler.ts';
import { rejectCaller } from './authorize-caller.ts';
import { readCookies } from './cookies.ts';
import { type CallerParts, readCaller, visitOf } from './read-caller.ts';

interface OwnSessionParts extends CallerParts {
  readonly handlers: Pick<HandlersOf<Endpoints>, 'session.show'>;
}

/** Null: the visitor is not signed in. Undefined: unknown, because another site led here, or the database did not answer. */
export async function readOwnSession(
  parts: OwnSessionParts,
  request: FastifyRequest,
): Promise<object | null | undefined> {
  const endpoint = ENDPOINTS['session.show'];
  const cookies = readCookies(request.headers.cookie);
  if (cookies.session === null) return null;
  try {
    const caller = await readCaller(parts, endpoint, request, true);
    if (!caller.ok) return caller.error.code === 'unauthenticated' ? null : undefined;
    if (rejectCaller(endpoint, caller.value, request)) return undefined;
    const asked = { params: {}, query: {}, body: undefined, ifMatch: null, act: '', visit: visitOf(request), cookies };
    const shown = await parts.handlers['session.show']({ ...asked, caller: caller.value });
    return shown.ok && 'answer' in shown.value ? shown.value.answer : undefined;
  } catch {
    // The page asks again, and shows the failure.
    return undefined;
  }
}
