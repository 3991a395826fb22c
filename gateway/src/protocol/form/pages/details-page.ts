/** Asks for the details that a payment type needs and the merchant did not send. */
import { catalogueOf } from '../languages/languages.ts';
import { html } from './html.ts';
import type { PageContext } from './page-context.ts';
import { anotherWay, detailFields, errorSummary, postForm, primaryButton, TYPED } from './page-forms.ts';
import type { PageContent } from './page-shell.ts';
import type { ViewOf } from './page-view.ts';

/** A page without fields requests only the payer's consent to pay this way. */
export function detailsPage(view: ViewOf<'details'>, context: PageContext): PageContent {
  const texts = catalogueOf(context.language);
  const type = texts.choose.types[view.paymentType];
  const asks = view.details.fields.length > 0;
  const title = asks ? texts.details.title : type.name;
  const content = html`${detailFields(view.details, context)}${primaryButton(texts.payment.goOn)}`;
  return {
    title,
    ...(asks ? { typedForm: TYPED, scripts: ['fields'] } : {}),
    ...(Object.keys(view.details.errors).length > 0 ? { titlePrefix: texts.errors.title } : {}),
    body: html`<p class="type-name">${asks ? type.name : null}</p><h1>${title}</h1>
<p class="lead">${asks ? texts.details.why : type.hint}</p>${errorSummary(view.details.errors, context)}
${postForm('pay', content, context, { id: TYPED, class: 'form', 'data-checked': true })}
${anotherWay(view.hasOtherTypes, context)}`,
  };
}
