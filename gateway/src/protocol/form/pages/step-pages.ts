/**
 * Pages on which the payer acts with their bank, on the bank's page or in a frame. Each must state in words where the payer
 * goes. All work without JavaScript, except the bank's own frame.
 */
import { catalogueOf } from '../languages/languages.ts';
import { attributes, type Html, html } from './html.ts';
import { icon } from './marks.ts';
import type { PageContext } from './page-context.ts';
import { hidden, postForm, primaryButton } from './page-forms.ts';
import type { PageContent } from './page-shell.ts';
import type { PostStep, ViewOf } from './page-view.ts';

/** The script follows the link automatically, except inside a frame, because a bank's page must not open in a frame. */
export function leavePage({ url, bankName }: ViewOf<'leave'>, { language }: PageContext): PageContent {
  const texts = catalogueOf(language).leave;
  const title = bankName === '' ? texts.title : texts.titleAt(bankName);
  const link = attributes({
    class: 'button button--primary',
    href: url,
    target: '_top',
    rel: 'noreferrer',
    'data-go': 2,
    'data-bank': 'yes',
  });
  return {
    title,
    body: html`<div class="state-icon">${icon('open_banking')}</div><h1>${title}</h1>
<p class="lead">${texts.text}</p><p class="where">${new URL(url).host}</p><a ${link}>${texts.go}</a>`,
  };
}

export function framePage({ url }: ViewOf<'frame'>, context: PageContext): PageContent {
  const texts = catalogueOf(context.language).frame;
  return {
    title: texts.title,
    body: html`<h1>${texts.title}</h1><p class="lead">${texts.text}</p><p class="where">${icon('lock')}${new URL(url).host}</p>
<iframe ${attributes({ class: 'bank-frame', src: url, title: texts.page, name: 'bank', referrerpolicy: 'no-referrer', 'data-step-frame': true })}></iframe>`,
  };
}

/**
 * Posts the form of the 3-D Secure method in a hidden frame; then the payment continues. Without JavaScript the page
 * offers only a button to continue, and `completed` reports that the frame did not finish.
 */
export function fingerprintPage({ post, timeoutMs }: ViewOf<'fingerprint'>, context: PageContext): PageContent {
  const texts = catalogueOf(context.language);
  const frame = attributes({
    class: 'no-frame',
    name: 'step',
    title: texts.frame.page,
    tabindex: '-1',
    'aria-hidden': 'true',
  });
  const goOn = html`${hidden('completed', 'no')}<noscript>${primaryButton(texts.payment.goOn)}</noscript>`;
  return {
    title: texts.fingerprint.title,
    body: html`<div class="spinner" aria-hidden="true"></div><h1>${texts.fingerprint.title}</h1>
<p class="lead" role="status">${texts.fingerprint.text}</p>
<iframe ${frame}></iframe>${stepForm(post, { 'data-step-form': 'fingerprint', 'data-timeout-ms': timeoutMs }, null)}
${postForm('go_on', goOn, context, { 'data-go-on': true })}`,
  };
}

/** With JavaScript, the bank's page opens in a frame. Without it, the form takes the payer to that page, which returns them. */
export function challengePage({ post }: ViewOf<'challenge'>, { language }: PageContext): PageContent {
  const texts = catalogueOf(language);
  const frame = attributes({
    class: 'bank-frame',
    name: 'step',
    title: texts.frame.page,
    'data-step-frame': true,
    hidden: true,
  });
  return {
    title: texts.challenge.title,
    body: html`<h1>${texts.challenge.title}</h1><p class="lead">${texts.challenge.text}</p>
<p class="where">${icon('lock')}${new URL(post.url).host}</p>
${stepForm(post, { 'data-step-form': 'challenge' }, primaryButton(texts.challenge.open))}<iframe ${frame}></iframe>`,
  };
}

function stepForm(post: PostStep, more: Parameters<typeof attributes>[0], button: Html | null): Html {
  const fields = Object.entries(post.fields).map(([name, value]) => hidden(name, value));
  return html`<form ${attributes({ method: 'post', action: post.url, ...more })}>${fields}${button}</form>`;
}

/** Reports the end of the step to the surrounding page. The script there, or the link, takes the payer on. */
export function frameReturnPage({ pageUrl }: ViewOf<'frame_return'>, { language }: PageContext): PageContent {
  const { frameReturn, payment } = catalogueOf(language);
  const link = attributes({
    class: 'button button--primary',
    href: pageUrl,
    target: '_parent',
    'data-step-over': true,
  });
  return {
    title: frameReturn.title,
    body: html`<h1>${frameReturn.title}</h1><p class="lead">${frameReturn.text}</p><a ${link}>${payment.goOn}</a>`,
  };
}
