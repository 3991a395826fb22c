/** The chooser of payment types, with one button each. */
import { catalogueOf } from '../languages/languages.ts';
import { attributes, html } from './html.ts';
import { icon } from './icons.ts';
import type { PageContext } from './page-context.ts';
import { postForm } from './page-forms.ts';
import type { PageContent } from './page-shell.ts';
import type { ViewOf } from './page-view.ts';

export function choosePage({ types }: ViewOf<'choose'>, context: PageContext): PageContent {
  const texts = catalogueOf(context.language).choose;
  const choices = types.map((type) => {
    const { name, hint } = texts.types[type];
    return html`<li><button ${attributes({ class: 'choice', type: 'submit', name: 'payment_type', value: type })}>
<span class="choice-icon">${icon(type)}</span>
<span class="choice-text"><span class="choice-name">${name}</span><span class="choice-hint">${hint}</span></span>
${icon('forward')}</button></li>`;
  });
  return {
    title: texts.title,
    body: html`<h1>${texts.title}</h1>${postForm('choose', html`<ul class="choices">${choices}</ul>`, context)}`,
  };
}
