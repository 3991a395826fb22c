/** Pages without a payment, for a wrong link or for a payment that cannot be shown. */
import { catalogueOf } from '../languages/languages.ts';
import { attributes, html } from './html.ts';
import { icon } from './marks.ts';
import type { PageContext } from './page-context.ts';
import type { PageContent } from './page-shell.ts';
import type { ViewOf } from './page-view.ts';

/** Names the field, but must never repeat its value. */
export function invalidRequestPage(
  { field, problem }: ViewOf<'invalid_request'>,
  { language }: PageContext,
): PageContent {
  const texts = catalogueOf(language).invalidRequest;
  return {
    title: texts.title,
    body: html`<div class="state-icon state-icon--bad">${icon('warning')}</div><h1>${texts.title}</h1><p class="lead">${texts.text}</p>
<dl class="facts"><div><dt>${texts.field}</dt><dd><code>${field}</code></dd></div>
<div><dt>${texts.problem}</dt><dd>${texts.problems[problem]}</dd></div></dl>`,
  };
}

/** The problem page of a payment links back to it, so the payer need not find its URL again. */
export function problemPage({ problem }: ViewOf<'problem'>, { language, pageUrl }: PageContext): PageContent {
  const { problems, payment } = catalogueOf(language);
  const { title, text } = problems[problem];
  const again = attributes({ class: 'button button--primary', href: pageUrl });
  return {
    title,
    body: html`<div class="state-icon state-icon--calm">${icon('warning')}</div><h1>${title}</h1><p class="lead">${text}</p>
${pageUrl === '' ? null : html`<a ${again}>${payment.checkAgain}</a>`}`,
  };
}
