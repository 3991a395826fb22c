/** The facts of a receipt. The script writes the time in the payer's zone. */

import type { Language } from '../../../domain/payments/form-session.ts';
import { catalogueOf } from '../languages/languages.ts';
import { attributes, type Html, html } from './html.ts';
import { amountText, momentText } from './local-texts.ts';
import type { PageContext } from './page-context.ts';
import type { PaymentHead, Receipt } from './page-view.ts';

export function receiptFacts(receipt: Receipt, payment: PaymentHead, context: PageContext): Html {
  const { receipt: texts } = catalogueOf(context.language);
  const time = attributes({ datetime: new Date(receipt.paidAt).toISOString(), 'data-moment': true });
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

/** `Visa, ending in 4242`, or the way that the payer paid. */
function methodText({ card, paymentType }: Receipt, language: Language): string {
  const { receipt: texts } = catalogueOf(language);
  return card === null ? texts.methods[paymentType] : texts.card(card.network || texts.methods.card, card.lastFour);
}
