/** Pages of an ended attempt or payment. Each must state whether money moved and what the payer can do now. */

import { amountText, catalogueOf, momentText } from '../languages/languages.ts';
import { attributes, type Html, html } from './html.ts';
import { type IconName, icon } from './marks.ts';
import type { PageContext } from './page-context.ts';
import { anotherWay, postForm, primaryButton, secondaryButton } from './page-forms.ts';
import { momentAttributes, type PageContent } from './page-shell.ts';
import type { PaymentHead, Receipt, ViewOf } from './page-view.ts';
import { methodText } from './receipt-of.ts';

/** The time to read the result before the script follows the link. The payer can stop it. */
const READING_SECONDS = 6;

export function refusedPage(view: ViewOf<'refused'>, context: PageContext): PageContent {
  const texts = catalogueOf(context.language).refused;
  const canRetry = view.canRetry && view.attemptsLeft !== 0;
  const tries =
    view.attemptsLeft === null
      ? null
      : view.attemptsLeft > 0
        ? texts.attemptsLeft(view.attemptsLeft)
        : texts.noAttempts;
  const showsAttempts = canRetry || view.attemptsLeft === 0;
  return {
    title: texts.title,
    body: html`${stateIcon('cross', 'bad')}<h1>${texts.title}</h1>
<p class="lead" data-refused>${texts.reasons[view.refusal]}</p><p class="note">${texts.notCharged} ${showsAttempts ? tries : null}</p>
<div class="actions">${canRetry ? postForm('try_again', primaryButton(texts.tryAgain), context) : null}
${anotherWay(view.hasOtherTypes && view.attemptsLeft !== 0, context)}${returnLink(view.returnUrl, view.payment, context, !canRetry)}</div>`,
  };
}

export function paidPage({ payment, receipt, returnUrl }: ViewOf<'paid'>, context: PageContext): PageContent {
  const { ended: texts } = catalogueOf(context.language);
  const amount = amountText(receipt.money, context.language);
  return {
    title: texts.paid,
    body: html`${stateIcon('check', 'good')}<h1>${texts.paid}</h1><p class="lead">${texts.paidText(payment.merchantName, amount)}</p>
${receiptFacts(receipt, payment, context)}${returnUrl === null ? null : autoReturn(returnUrl, payment, context)}`,
  };
}

/** The script announces the redirect and offers to stop it. */
function autoReturn(returnUrl: string, payment: PaymentHead, context: PageContext): Html {
  const { ended: texts } = catalogueOf(context.language);
  return html`<div class="actions">${returnLink(returnUrl, payment, context, true, READING_SECONDS)}
<div class="stay" hidden data-stay><p class="hint" role="status">${texts.autoReturn}</p>
<button class="link-button" type="button">${texts.stay}</button></div></div>`;
}

export function cancelledPage(view: ViewOf<'cancelled'>, context: PageContext): PageContent {
  const { payment, returnUrl, canContinue } = view;
  const { ended: texts } = catalogueOf(context.language);
  return {
    title: texts.cancelled,
    body: html`${stateIcon('cross', 'calm')}<h1>${texts.cancelled}</h1><p class="lead">${texts.cancelledText}</p>
<div class="actions">${canContinue ? postForm('continue_paying', primaryButton(texts.continuePaying), context) : null}
${returnLink(returnUrl, payment, context, !canContinue)}</div>`,
  };
}

export function cancelQuestionPage(_view: ViewOf<'cancel_question'>, context: PageContext): PageContent {
  const { cancelQuestion: texts, ended } = catalogueOf(context.language);
  return {
    title: texts.title,
    body: html`${stateIcon('warning', 'calm')}<h1>${texts.title}</h1><p class="lead">${texts.text}</p>
<div class="actions">${postForm('continue_paying', primaryButton(ended.continuePaying), context)}
${postForm('cancel', secondaryButton(texts.yes), context)}</div>`,
  };
}

export function expiredPage({ payment, returnUrl }: ViewOf<'expired'>, context: PageContext): PageContent {
  const { ended: texts } = catalogueOf(context.language);
  return {
    title: texts.expired,
    body: html`${stateIcon('clock', 'calm')}<h1>${texts.expired}</h1><p class="lead">${texts.expiredText}</p>
<div class="actions">${returnLink(returnUrl, payment, context, true)}</div>`,
  };
}

export function goingBackPage({ payment, returnUrl }: ViewOf<'going_back'>, context: PageContext): PageContent {
  const { ended: texts } = catalogueOf(context.language);
  const title = texts.goingBack(payment.merchantName);
  return {
    title,
    body: html`<div class="spinner" aria-hidden="true"></div><h1>${title}</h1><p class="lead">${texts.goingBackText}</p>
<div class="actions">${returnLink(returnUrl, payment, context, true, 0)}</div>`,
  };
}

/** `goAfter` is the number of seconds after which the script follows the link. Undefined means never. */
function returnLink(
  url: string | null,
  payment: PaymentHead,
  { language }: PageContext,
  isPrimary: boolean,
  goAfter?: number,
): Html | null {
  if (url === null) return null;
  const look = isPrimary ? 'button button--primary' : 'button button--secondary';
  const text = catalogueOf(language).payment.backToShop(payment.merchantName);
  return html`<a ${attributes({ class: look, href: url, target: '_top', rel: 'noreferrer', 'data-go': goAfter })}>${text}</a>`;
}

function stateIcon(name: IconName, mood: 'good' | 'bad' | 'calm'): Html {
  return html`<div ${attributes({ class: `state-icon state-icon--${mood}` })}>${icon(name)}</div>`;
}

/** Returns the facts of a receipt. The script writes the time in the payer's zone. */
function receiptFacts(receipt: Receipt, payment: PaymentHead, context: PageContext): Html {
  const { receipt: texts } = catalogueOf(context.language);
  const time = attributes({
    datetime: new Date(receipt.paidAt).toISOString(),
    'data-moment': true,
    ...momentAttributes(context.language),
  });
  const print = attributes({ class: 'link-button', type: 'button', 'data-print': true, hidden: true });
  return html`<dl class="facts">${fact(texts.paidTo, payment.merchantName)}
${fact(texts.amount, amountText(receipt.money, context.language))}
${fact(texts.date, html`<time ${time}>${momentText(receipt.paidAt, context.language)}</time>`)}
${fact(texts.method, methodText(receipt, context.language))}
${fact(texts.order, payment.orderId)}
${fact(texts.transaction, String(receipt.transactionId))}
${payment.help.support === null ? null : fact(texts.help, payment.help.support)}</dl>
<div class="keep"><p class="hint">${texts.keep}</p><button ${print}>${texts.print}</button></div>`;
}

function fact(name: string, value: string | Html): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}
