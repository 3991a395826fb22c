/** The payment type page: one button per type. */
import type { CardBrand } from '../../../domain/methods/card-brand.ts';
import type { FormPaymentType } from '../../../domain/methods/payment-type.ts';
import { catalogueOf } from '../languages/languages.ts';
import { attributes, type Html, html } from './html.ts';
import { BRAND_NAMES, icon, mark, schemeMark } from './marks.ts';
import type { PageContext } from './page-context.ts';
import { postForm } from './page-forms.ts';
import type { PageContent } from './page-shell.ts';
import type { ViewOf } from './page-view.ts';

export function choosePage({ types, brands }: ViewOf<'choose'>, context: PageContext): PageContent {
  const texts = catalogueOf(context.language).choose;
  const choices = types.map((type) => {
    const { name, hint } = texts.types[type];
    return html`<li><button ${attributes({ class: 'choice', type: 'submit', name: 'payment_type', value: type })}>
<span class="choice-icon">${icon(type)}</span>
<span class="choice-text"><span class="choice-name">${name}</span><span class="choice-hint">${hint}</span>${marksOf(type, brands)}</span>
${icon('forward')}</button></li>`;
  });
  return {
    title: texts.title,
    body: html`<h1>${texts.title}</h1>${postForm('choose', html`<ul class="choices">${choices}</ul>`, context)}`,
  };
}

function marksOf(type: FormPaymentType, brands: readonly CardBrand[]): Html | null {
  const marks = type === 'card' ? brands.map((brand) => mark(brand, BRAND_NAMES[brand])) : schemeMark(type);
  return marks && html`<span class="marks">${marks}</span>`;
}
