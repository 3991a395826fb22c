/** The card page. It must never contain a card number, a date or a CVV, not even after an error. */
import type { CardBrand } from '../../../domain/methods/card-brand.ts';
import { amountText, catalogueOf } from '../languages/languages.ts';
import { attributes, type Html, html } from './html.ts';
import { BRAND_NAMES, mark } from './marks.ts';
import type { PageContext } from './page-context.ts';
import { anotherWay, detailFields, errorSummary, field, hidden, postForm, primaryButton, TYPED } from './page-forms.ts';
import type { PageContent } from './page-shell.ts';
import { BROWSER_FIELDS, type ViewOf } from './page-view.ts';
import { walletButtons } from './wallet-buttons.ts';

export function cardPage(view: ViewOf<'card'>, context: PageContext): PageContent {
  const texts = catalogueOf(context.language);
  const errors = { ...view.errors, ...view.details.errors };
  const pay = primaryButton(texts.card.pay(amountText(view.payment.money, context.language)));
  const content = html`${acceptedBrands(view.brands, context)}${cardFields(view, context)}
${billingDetails(view, context)}${[...BROWSER_FIELDS, 'had_secrets'].map((name) => hidden(name, ''))}${pay}`;
  return {
    title: texts.card.title,
    typedForm: TYPED,
    scripts: view.wallets === null ? ['fields'] : ['fields', 'wallets'],
    ...(Object.keys(errors).length > 0 ? { titlePrefix: texts.errors.title } : {}),
    body: html`<h1>${texts.card.title}</h1>${errorSummary(errors, context)}
${view.asksAgain ? html`<p class="notice notice--calm" role="status">${texts.card.typeAgain}</p>` : null}
${walletButtons(view, context)}${postForm('pay', content, context, { id: TYPED, class: 'form', 'data-checked': true, 'data-card': true })}
${anotherWay(view.hasOtherTypes, context)}`,
  };
}

function acceptedBrands(brands: readonly CardBrand[], { language }: PageContext): Html | null {
  if (brands.length === 0) return null;
  const marks = brands.map(
    (brand) => html`<li ${attributes({ class: 'brand', 'data-brand': brand })}>${mark(brand, BRAND_NAMES[brand])}</li>`,
  );
  return html`<ul ${attributes({ class: 'brands', 'aria-label': catalogueOf(language).card.accepted })}>${marks}</ul>`;
}

function cardFields({ errors, holder }: ViewOf<'card'>, context: PageContext): Html {
  const badge = html`<span class="brand-found" role="status" data-brand-found></span>`;
  return html`<div class="fields">
${field({ name: 'card_number', value: '', error: errors.card_number, badge }, context)}
${field({ name: 'card_expiry', value: '', error: errors.card_expiry, class: 'field--half' }, context)}
${field({ name: 'card_cvv', value: '', error: errors.card_cvv, class: 'field--half' }, context)}
${field({ name: 'card_holder', value: holder, error: errors.card_holder }, context)}</div>`;
}

function billingDetails({ details }: ViewOf<'card'>, context: PageContext): Html | null {
  if (details.fields.length === 0) return null;
  return html`<fieldset><legend>${catalogueOf(context.language).card.details}</legend>${detailFields(details, context)}</fieldset>`;
}
