/** Renders a page of the form: its HTML, its headers and its HTTP status, purely from its view and the passed time. */

import { invariant } from '../../../foundation/invariant.ts';
import { bankPage } from './bank-page.ts';
import { cardPage } from './card-page.ts';
import { choosePage } from './choose-page.ts';
import { detailsPage } from './details-page.ts';
import {
  cancelledPage,
  cancelQuestionPage,
  expiredPage,
  goingBackPage,
  paidPage,
  refusedPage,
} from './outcome-pages.ts';
import type { PageContext } from './page-context.ts';
import { bareShell, type PageContent, type PaymentEndName, paymentShell, plainShell } from './page-shell.ts';
import type { PageKind, PageView, PaymentHead, PaymentView, ProblemKind, ViewOf } from './page-view.ts';
import { invalidRequestPage, problemPage } from './problem-pages.ts';
import { challengePage, fingerprintPage, framePage, frameReturnPage, leavePage } from './step-pages.ts';
import { bankMessagePage, codePage, waitingPage } from './waiting-pages.ts';

const CONTENTS: { readonly [Kind in PageKind]: (view: ViewOf<Kind>, context: PageContext) => PageContent } = {
  choose: choosePage,
  card: cardPage,
  details: detailsPage,
  bank: bankPage,
  leave: leavePage,
  bank_message: bankMessagePage,
  code: codePage,
  frame: framePage,
  fingerprint: fingerprintPage,
  challenge: challengePage,
  waiting: waitingPage,
  refused: refusedPage,
  paid: paidPage,
  cancelled: cancelledPage,
  cancel_question: cancelQuestionPage,
  expired: expiredPage,
  going_back: goingBackPage,
  frame_return: frameReturnPage,
  invalid_request: invalidRequestPage,
  problem: problemPage,
};

/** Returns the HTML of a page. Throws InvariantViolation if `view` holds an address that no page may link to. */
export function renderPage(view: PageView, context: PageContext): string {
  const content = contentOf(view, context);
  if (view.kind === 'frame_return') return bareShell(content, context).toString();
  if (view.kind === 'invalid_request') return plainShell(content, context.siteUrl, context).toString();
  if (view.kind === 'problem') return plainShell(content, view.shopUrl ?? context.siteUrl, context).toString();
  return paymentShell({ ...content, end: endOf(view) }, headOf(view), context).toString();
}

/** Null before the end of the payment. */
function endOf(view: PaymentView): PaymentEndName | null {
  switch (view.kind) {
    case 'paid':
    case 'expired':
      return view.kind;
    case 'going_back':
      return 'pending';
    case 'cancelled':
      return view.canContinue ? null : 'cancelled';
    case 'refused':
      return view.payment.canCancel ? null : 'failed';
    default:
      return null;
  }
}

/** A page that returns the payer with the result needs no second link to the shop. */
function headOf(view: PaymentView): PaymentHead {
  if (view.kind === 'cancel_question')
    return { ...view.payment, canCancel: false, canChangeWay: false, canChangeBank: false };
  const takesBack = 'returnUrl' in view && view.returnUrl !== null;
  return takesBack ? { ...view.payment, shopUrl: null } : view.payment;
}

function contentOf<Kind extends PageKind>(view: ViewOf<Kind>, context: PageContext): PageContent {
  const write: (view: ViewOf<Kind>, context: PageContext) => PageContent = CONTENTS[view.kind as Kind];
  return write(view, context);
}

export interface PagePlace {
  /** The merchant's origins that may frame the page. Empty means none. */
  readonly embeddingOrigins: readonly string[];
  /**
   * The origins of the merchant's success_url and fail_url. Browsers also check a form's redirect against
   * `form-action`.
   */
  readonly returnOrigins: readonly string[];
}

interface StepOrigins {
  readonly frames: readonly string[];
  readonly forms: readonly string[];
}

/** A frame of ours ends on our own page, which hands over to the surrounding page. */
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
  invariant(url?.protocol === 'https:' || url?.protocol === 'http:', 'an origin of a page is not http(s)');
  invariant(PLAIN_ORIGIN.test(url.origin), 'the host of an origin has characters that no host has');
  return url.origin;
}

/** Chrome reads the manifest of Google Pay here, and follows redirects. No script comes from there (rails/adyen/wallets.ts). */
const GOOGLE_PAY = ['https://google.com/pay', 'https://www.google.com/pay', 'https://pay.google.com'];

export function contentSecurityPolicy(view: PageView, nonce: string, place: PagePlace): string {
  invariant(/^[\w+/=-]{16,}$/.test(nonce), 'a nonce is at least 16 characters of base64');
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
 * The headers of a page, above all the Content-Security-Policy. It allows only our own style and script, and frames and
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
