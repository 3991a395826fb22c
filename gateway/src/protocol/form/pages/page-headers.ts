/** The HTTP status and headers of a payer's page, above all its content security policy (decision 48). */
import { invariant } from '../../../foundation/invariant.ts';
import type { PageContext } from './page-context.ts';
import type { PageView, ProblemKind } from './page-view.ts';

export interface PagePlace {
  /** The merchant's origins that may frame the page. Empty means none. */
  readonly embeddingOrigins: readonly string[];
  /** The origins of the merchant's success_url and fail_url. Browsers also check a form's redirect against `form-action`. */
  readonly returnOrigins: readonly string[];
}

interface StepOrigins {
  readonly frames: readonly string[];
  readonly forms: readonly string[];
}

/** An embedded step ends on our own page, which hands over to the surrounding page. */
const OWN = "'self'";

function stepOrigins(view: PageView): StepOrigins {
  switch (view.kind) {
    case 'frame':
      return { frames: [OWN, originOf(view.url), ...view.origins.map(originOf)], forms: [] };
    case 'fingerprint':
    case 'challenge': {
      const origins = [originOf(view.post.url), ...view.origins.map(originOf)];
      return { frames: [OWN, ...origins], forms: origins };
    }
    default:
      return { frames: [], forms: [] };
  }
}

/** A host may contain characters with a meaning in a policy: semicolon, comma, asterisk. */
const PLAIN_ORIGIN = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/;

/** Throws InvariantViolation unless the address is http(s) with a plain host. Nothing else may widen a policy. */
function originOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  invariant(url?.protocol === 'https:' || url?.protocol === 'http:', 'origin is not http(s)');
  invariant(PLAIN_ORIGIN.test(url.origin), 'host of an origin has invalid characters');
  return url.origin;
}

/** Chrome reads the manifest of Google Pay here, and follows redirects. No script comes from there (rails/adyen/wallets.ts). */
const GOOGLE_PAY = ['https://google.com/pay', 'https://www.google.com/pay', 'https://pay.google.com'];

export function contentSecurityPolicy(view: PageView, nonce: string, place: PagePlace): string {
  invariant(/^[\w+/=-]{16,}$/.test(nonce), 'nonce is not 16 or more characters of base64');
  const step = stepOrigins(view);
  const embedding = place.embeddingOrigins.map(originOf);
  const directives: Readonly<Record<string, readonly string[]>> = {
    'default-src': [],
    'script-src': [`'nonce-${nonce}'`],
    'style-src': [`'nonce-${nonce}'`],
    'img-src': [OWN],
    'connect-src': [OWN, ...(view.kind === 'card' && view.wallets?.googlePay ? GOOGLE_PAY : [])],
    'frame-src': step.frames,
    'form-action': [OWN, ...step.forms, ...place.returnOrigins.map(originOf)],
    'frame-ancestors': view.kind === 'frame_return' ? [OWN, ...embedding] : embedding,
    'base-uri': [],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': [],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${[...new Set(sources)].join(' ') || "'none'"}`)
    .join('; ');
}

/**
 * Returns the headers of a page, above all the Content-Security-Policy. It allows only our own style and script, and frames and
 * forms only for the origins of the step on the page. It must never contain `unsafe-…`.
 *
 * With `no-referrer`, browsers send `Origin: null` with the page's forms. Their CSRF token protects them instead.
 */
export function pageHeaders(view: PageView, context: PageContext, place: PagePlace): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-language': context.language,
    'content-security-policy': contentSecurityPolicy(view, context.nonce, place),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  };
}

const PROBLEM_STATUS: Readonly<Record<ProblemKind, number>> = {
  not_found: 404,
  out_of_date: 403,
  order_already_paid: 409,
  order_being_paid: 409,
  merchant_unavailable: 403,
  method_unavailable: 409,
  too_many_requests: 429,
  temporary_error: 503,
};

/** Returns the HTTP status of a page. A page that shows a failed payment is itself a success. */
export function pageStatus(view: PageView): number {
  if (view.kind === 'invalid_request') return 400;
  return view.kind === 'problem' ? PROBLEM_STATUS[view.problem] : 200;
}
