/** Pages that wait for an external event. Each must state the event and the start of the wait. */
import { type Instant, MINUTE_MS } from '../../../foundation/clock.ts';
import { agoText, catalogueOf } from '../languages/languages.ts';
import { attributes, type Html, html } from './html.ts';
import type { PageContext } from './page-context.ts';
import type { PageContent } from './page-shell.ts';
import type { ViewOf } from './page-view.ts';
import { qrPicture } from './qr-picture.ts';

export function waitingPage({ awaits, since, payment }: ViewOf<'waiting'>, context: PageContext): PageContent {
  const texts = catalogueOf(context.language).waiting;
  const { title, text } = texts[awaits];
  return {
    title,
    body: html`<div class="spinner" aria-hidden="true"></div><h1>${title}</h1><p class="lead">${text}</p>
<p class="note">${texts.mayClose(payment.merchantName)}</p>${progress(null, since, context)}`,
  };
}

export function bankMessagePage(view: ViewOf<'bank_message'>, context: PageContext): PageContent {
  const texts = catalogueOf(context.language).bankMessage;
  const address = view.email || view.phone;
  const steps = [address === '' ? texts.open : texts.openAt(address), texts.accept, texts.comeBack];
  return {
    title: texts.title,
    body: html`<h1>${texts.title}</h1>${stepList(steps)}${progress(texts.waits, view.since, context)}`,
  };
}

export function codePage({ text, since }: ViewOf<'code'>, context: PageContext): PageContent {
  const texts = catalogueOf(context.language).code;
  const area = attributes({ id: 'code_text', class: 'code-text', readonly: true, rows: 4, spellcheck: 'false' });
  const copy = attributes({
    class: 'button button--primary',
    type: 'button',
    'data-copy': 'code_text',
    'data-copied': texts.copied,
    hidden: true,
  });
  return {
    title: texts.title,
    body: html`<h1>${texts.title}</h1>${stepList([texts.open, texts.scan, texts.confirm])}
<div class="code-box"><div class="field"><label for="code_text">${texts.text}</label><textarea ${area}>${text}</textarea></div>
<button ${copy}>${texts.copy}</button>${qrPicture(text, texts.picture)}<p class="visually-hidden" role="status" data-copy-status></p></div>
${progress(texts.waits, since, context)}`,
  };
}

function stepList(steps: readonly string[]): Html {
  return html`<ol class="steps">${steps.map((step) => html`<li>${step}</li>`)}</ol>`;
}

/** Shows the start of the wait. The page updates itself, or offers a link without JavaScript. */
function progress(waits: string | null, since: Instant, context: PageContext): Html {
  const { payment, waiting } = catalogueOf(context.language);
  const time = attributes({ datetime: new Date(since).toISOString() });
  const isNew = context.now - since < MINUTE_MS;
  const ago = isNew ? waiting.justStarted : waiting.since(agoText(since, context.now, context.language));
  return html`<div class="progress">${waits === null ? null : html`<p class="waits"><span class="pulse" aria-hidden="true"></span>${waits}</p>`}
<p class="hint"><time ${time}>${ago}</time></p>
<p ${attributes({ class: 'hint', hidden: true, 'data-with-script': true })}>${payment.updatesItself}</p>
<noscript><a ${attributes({ class: 'button button--secondary', href: context.pageUrl })}>${payment.checkAgain}</a></noscript></div>`;
}
