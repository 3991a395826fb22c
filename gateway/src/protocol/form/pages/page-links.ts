/** Links to the merchant's own places, which leave any frame around the page. */
import { catalogueOf } from '../languages/languages.ts';
import { attributes, type Html, html } from './html.ts';
import type { PageContext } from './page-context.ts';
import type { MerchantHelp } from './page-view.ts';

/** `contact`: an e-mail address, or the address of a page. */
function supportLink(contact: string): Html {
  const isPage = /^https?:/.test(contact);
  return merchantLink(isPage ? contact : `mailto:${contact}`, isPage ? shortAddress(contact) : contact);
}

/** Null if the merchant named nothing. */
export function helpLinks({ support, termsUrl, privacyUrl }: MerchantHelp, { language }: PageContext): Html | null {
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
