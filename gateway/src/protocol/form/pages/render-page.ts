/** Renders a form page: its HTML, headers and HTTP status, purely from its view and the given time. */
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
import type { PageKind, PageView, PaymentHead, PaymentView, ViewOf } from './page-view.ts';
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

/** Returns null until the payment is final. */
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
