/** The context of a page, in addition to its view: the payer's language, URLs, assets and tokens. */

import type { Language } from '../../../domain/payments/form-session.ts';
import type { Instant } from '../../../foundation/clock.ts';
import type { MerchantHelp } from './page-view.ts';

/** The URLs that report a change of the payment. The page then reloads itself; these URLs must not send anything else. */
interface LiveStatus {
  /** Server-sent events. The data of each event is the version. */
  readonly eventsUrl: string;
  /** The fallback: the version as plain text. */
  readonly versionUrl: string;
}

/** `form` is on every page; the others are only on pages with the elements that they enhance. */
export const PAGE_SCRIPTS = ['form', 'fields', 'banks', 'wallets'] as const;
export type PageScript = (typeof PAGE_SCRIPTS)[number];

/** The address of each asset. */
export type PageAssets = Readonly<Record<'styles' | 'icon' | PageScript, string>>;

/** The URLs of the merchant's branding. If null, the page uses the gateway's. */
export interface PageBrand {
  readonly logoUrl: string | null;
  readonly themeUrl: string | null;
}

export interface PageContext {
  /** Where a payer finds help on a page without a payment. Null if the merchant is unknown. */
  readonly help: MerchantHelp | null;
  /** The merchant's registered site: the link back from a page without a payment. Null if unknown. */
  readonly siteUrl: string | null;
  readonly language: Language;
  /** A value that is unique to this response and that its Content-Security-Policy contains. */
  readonly nonce: string;
  readonly assets: PageAssets;
  readonly brand: PageBrand;
  readonly now: Instant;
  /** True if payers reach the gateway over https. */
  readonly isEncrypted: boolean;
  /** The page's own address, to which its forms post. */
  readonly pageUrl: string;
  /** Empty on a page without a payment. */
  readonly csrfToken: string;
  /** The version of the shown state: letters, digits and dashes. A different value means that the page is outdated. */
  readonly version: string;
  /** The same page in each language. Null if the page cannot be requested again. */
  readonly languageUrls: Readonly<Record<Language, string>> | null;
  readonly live: LiveStatus | null;
  /** The merchant's origins that may frame the page, and may learn its height and its end. */
  readonly embeddingOrigins: readonly string[];
}
