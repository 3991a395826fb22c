/** The cookies of the management API. A `__Host-` cookie belongs to exactly this host, over TLS (or on localhost). */
import { SESSION_LIMIT_MS } from '../../../domain/people/sign-in/session.ts';
import { MINUTE_MS, SECOND_MS } from '../../../foundation/clock.ts';
import { Secret } from '../../../foundation/secret.ts';

const COOKIES = {
  session: { name: '__Host-gateway-session', validMs: SESSION_LIMIT_MS },
  /** Binds a sign-in at an OpenID Connect provider to one browser. */
  openid: { name: '__Host-gateway-openid', validMs: 5 * MINUTE_MS },
} as const;

type CookieName = keyof typeof COOKIES;

const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/** If `value` is null, the browser deletes the cookie. */
export function setCookie(cookie: CookieName, value: Secret | null): string {
  const { name, validMs } = COOKIES[cookie];
  return `${name}=${value?.reveal() ?? ''}; ${ATTRIBUTES}; Max-Age=${value ? validMs / SECOND_MS : 0}`;
}

/** Each cookie is null if the browser did not send it, or sent it twice. */
export function readCookies(header: string | undefined): Readonly<Record<CookieName, Secret | null>> {
  const sent = (header ?? '').split(';').map((pair) => pair.trim());
  const find = (cookie: CookieName) => {
    const start = `${COOKIES[cookie].name}=`;
    const [value, second] = sent.filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(start.length));
    return value && second === undefined && value.length <= 200 ? new Secret(value) : null;
  };
  return { session: find('session'), openid: find('openid') };
}
