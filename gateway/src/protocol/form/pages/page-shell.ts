/** The frame around each page's content: head, merchant, amount, ways out and languages. */
import type { Language } from '../../../domain/payments/form-session.ts';
import { amountText, catalogueOf, durationText, momentWords, PAGE_LANGUAGES } from '../languages/languages.ts';
import { type Attributes, attributes, type Html, html } from './html.ts';
import { icon } from './marks.ts';
import type { PageContext, PageScript } from './page-context.ts';
import { postForm } from './page-forms.ts';
import type { MerchantHelp, PayerAct, PaymentHead } from './page-view.ts';

/** The ends that the form reports to a page around it. */
export type PaymentEndName = 'paid' | 'pending' | 'failed' | 'cancelled' | 'expired';

export interface PageContent {
  readonly title: string;
  /** Precedes the window title on pages with errors. */
  readonly titlePrefix?: string;
  readonly body: Html;
  /** The result of the payment. Absent before its end. */
  readonly end?: PaymentEndName | null;
  /** The id of a form that keeps the typed values when the payer changes the language. */
  readonly typedForm?: string;
  /** These scripts run before the script of every page, so that the fields are checked before the form is sent. */
  readonly scripts?: readonly PageScript[];
}

export function paymentShell(content: PageContent, payment: PaymentHead, context: PageContext): Html {
  const page = html`<div class="page">${summary(payment, content, context)}
<main ${attributes({ class: 'panel', 'data-end': content.end })}>${offlineNotice(context)}${content.body}</main>
${footer(payment, context)}</div>`;
  return htmlDocument(content, payment.merchantName, page, context);
}

/** `shopUrl` is the payer's way back, if known. */
export function plainShell(content: PageContent, shopUrl: string | null, context: PageContext): Html {
  const page = html`<div class="page page--plain">${languageLinks(context)}
<main class="panel">${content.body}</main>
${plainFooter(shopUrl, context)}</div>`;
  return htmlDocument(content, '', page, context);
}

/** A page without header and footer, for use inside a frame. */
export function bareShell(content: PageContent, context: PageContext): Html {
  return htmlDocument(content, '', html`<main class="panel panel--bare">${content.body}</main>`, context);
}

function htmlDocument(content: PageContent, merchantName: string, page: Html, context: PageContext): Html {
  const { assets, brand, language, live, nonce, version } = context;
  const title = [content.titlePrefix, content.title, merchantName].filter((part) => part).join(' · ');
  const scripts = [...(content.scripts ?? []), 'form' as const];
  return html`<!doctype html>
<html ${attributes({ lang: language })}>
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link ${attributes({ rel: 'icon', href: assets.icon, type: 'image/svg+xml' })}>
<link ${attributes({ rel: 'stylesheet', href: assets.styles, nonce })}>
${brand.themeUrl === null ? null : html`<link ${attributes({ rel: 'stylesheet', href: brand.themeUrl, nonce })}>`}
${scripts.map((name) => html`<script ${attributes({ type: 'module', src: assets[name], nonce })}></script>`)}
</head>
<body ${attributes({
    'data-wait': catalogueOf(language).payment.wait,
    'data-events-url': live?.eventsUrl,
    'data-version-url': live?.versionUrl,
    'data-version': live ? version : null,
    'data-embedding-origins': context.embeddingOrigins.join(' ') || null,
  })}>
${page}
</body>
</html>
`;
}

/** The script shows it while there is no connection. */
function offlineNotice({ language, live }: PageContext): Html {
  const { offline } = catalogueOf(language);
  const notice = attributes({ class: 'notice notice--error', role: 'status', hidden: true, 'data-offline': true });
  return html`<p ${notice}>${live === null ? offline.press : offline.waiting}</p>`;
}

/** A length above what fits on a narrow phone in the large type. */
const LONG_AMOUNT = 13;

function summary(payment: PaymentHead, { typedForm }: PageContent, context: PageContext): Html {
  const texts = catalogueOf(context.language).payment;
  const amount = amountText(payment.money, context.language);
  // Several currencies may share a symbol, so the code follows it.
  const code = amount.includes(payment.money.currency)
    ? null
    : html` <span class="code">${payment.money.currency}</span>`;
  return html`<header class="summary">
${languageLinks(context, typedForm)}
${payment.isTest ? testBadge(context) : null}
<div class="merchant">${logo(payment, context)}
<p class="merchant-name">${payment.merchantName}</p></div>
<div class="due"><p class="label">${payment.expiresAt === null ? texts.amount : texts.amountToPay}</p>
<p ${attributes({ class: 'amount', 'data-long': amount.length > LONG_AMOUNT })}>${amount}${code}</p></div>
<div class="about">${payment.itemName === '' ? null : html`<p class="item">${payment.itemName}</p>`}
<p class="order">${texts.order(payment.orderId)}</p></div>
${deadline(payment, context)}
</header>`;
}

function testBadge({ language }: PageContext): Html {
  const { testMode } = catalogueOf(language);
  return html`<p class="test"><strong>${testMode.badge}</strong> ${testMode.text}</p>`;
}

/** The name is next to the picture, so the picture needs no text. */
function logo({ merchantName }: PaymentHead, { brand: { logoUrl } }: PageContext): Html {
  if (logoUrl === null) return html`<span class="monogram" aria-hidden="true">${monogram(merchantName)}</span>`;
  return html`<img ${attributes({ class: 'logo', src: logoUrl, alt: '', height: 36 })}>`;
}

function monogram(name: string): string {
  return [...name.trim()][0]?.toUpperCase() ?? '·';
}

function deadline({ expiresAt }: PaymentHead, { language, now }: PageContext): Html | null {
  if (expiresAt === null || expiresAt <= now) return null;
  const texts = catalogueOf(language).payment;
  const time = attributes({
    role: 'timer',
    'aria-label': texts.timeLeft,
    datetime: new Date(expiresAt).toISOString(),
    'data-seconds-left': Math.ceil((expiresAt - now) / 1_000),
    'data-text': texts.remaining('#'),
    'data-until': texts.until('#'),
    ...momentAttributes(language),
    'data-warning': texts.twoMinutes,
  });
  return html`<p class="deadline">${icon('clock')}<time ${time}>${texts.remaining(durationText(expiresAt - now, language))}</time></p>
<p class="label" role="status" data-announcer></p>`;
}

/** Returns the strings by which the script writes a moment in the payer's zone. */
export function momentAttributes(language: Language): Attributes {
  const words = Object.entries(momentWords(language));
  return Object.fromEntries(words.map(([name, text]) => [`data-${name}`, text]));
}

function footer(payment: PaymentHead, context: PageContext): Html {
  const texts = catalogueOf(context.language).payment;
  return html`<footer class="footer">
<div class="ways-out">${payment.canChangeWay ? wayOut('another_way', texts.anotherWay, context) : null}
${payment.canChangeBank ? wayOut('another_bank', texts.anotherBank, context) : null}
${payment.canCancel ? wayOut('cancel', texts.cancel, context) : null}
${shopLink(payment.shopUrl, payment.merchantName, context)}</div>
${helpLinks(payment.help, context)}
${encryptedNote(context)}</footer>`;
}

function wayOut(act: PayerAct, text: string, context: PageContext): Html {
  const button = html`<button class="link-button" type="submit">${text}</button>`;
  return postForm(act, button, context, { class: 'inline-form' });
}

function plainFooter(shopUrl: string | null, context: PageContext): Html {
  return html`<footer class="footer"><div class="ways-out">${shopLink(shopUrl, '', context)}</div>
${context.help && helpLinks(context.help, context)}
${encryptedNote(context)}</footer>`;
}

/** Leaves any frame around the page, because the shop is the surrounding page. */
function shopLink(shopUrl: string | null, shop: string, { language }: PageContext): Html | null {
  if (shopUrl === null) return null;
  const text = catalogueOf(language).payment.backToShop(shop || new URL(shopUrl).host);
  return html`<a ${attributes({ class: 'link-button', href: shopUrl, target: '_top', rel: 'noreferrer' })}>${icon('back')}${text}</a>`;
}

function encryptedNote({ isEncrypted, language }: PageContext): Html | null {
  if (!isEncrypted) return null;
  return html`<p class="encrypted">${icon('lock')}${catalogueOf(language).payment.encrypted}</p>`;
}

/**
 * Comes first on the page, for payers who cannot read its language. On a page with a typed form, each language is a button of
 * that form. Enter presses the first button of a form, so a button with the form's own action comes before them.
 */
function languageLinks({ language, languageUrls }: PageContext, typedForm?: string): Html | null {
  if (languageUrls === null) return null;
  const links = PAGE_LANGUAGES.map((other) => {
    const shown = { lang: other, 'aria-current': other === language ? 'true' : null };
    const link = attributes({ ...shown, href: languageUrls[other], hreflang: other });
    const button = attributes({
      ...shown,
      ...BUTTON,
      form: typedForm,
      name: 'switch_to',
      value: other,
      formnovalidate: true,
    });
    const { languageName } = catalogueOf(other);
    return typedForm === undefined
      ? html`<li><a ${link}>${languageName}</a></li>`
      : html`<li><button ${button}>${languageName}</button></li>`;
  });
  const first = attributes({
    ...BUTTON,
    class: 'visually-hidden',
    form: typedForm,
    tabindex: -1,
    'aria-hidden': 'true',
  });
  return html`${typedForm === undefined ? null : html`<button ${first}></button>`}
<nav ${attributes({ class: 'languages', 'aria-label': catalogueOf(language).payment.language })}><details>
<summary>${icon('language')}${catalogueOf(language).languageName}</summary><ul>${links}</ul></details></nav>`;
}

const BUTTON = { type: 'submit', class: 'link-button' } as const;

/** `contact` is an email address or a URL. */
function supportLink(contact: string): Html {
  const isPage = /^https?:/.test(contact);
  return merchantLink(isPage ? contact : `mailto:${contact}`, isPage ? shortAddress(contact) : contact);
}

/** Links to the merchant's own pages; they leave any frame around the page. Null if the merchant set none. */
function helpLinks({ support, termsUrl, privacyUrl }: MerchantHelp, { language }: PageContext): Html | null {
  const { payment: texts } = catalogueOf(language);
  const links = [
    ...(support === null ? [] : [html`<span>${texts.help}</span> `, supportLink(support)]),
    ...(termsUrl === null ? [] : [merchantLink(termsUrl, texts.terms)]),
    ...(privacyUrl === null ? [] : [merchantLink(privacyUrl, texts.privacy)]),
  ];
  return links.length === 0 ? null : html`<p class="help">${links}</p>`;
}

function merchantLink(address: string, text: string): Html {
  return html`<a ${attributes({ href: address, target: '_blank', rel: 'noreferrer noopener' })}>${text}</a>`;
}

function shortAddress(address: string): string {
  const { host, pathname } = new URL(address);
  return `${host}${pathname === '/' ? '' : pathname}`;
}
