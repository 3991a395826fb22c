/** What a page needs beside its view: whom it talks to, in which language, and where its parts come from. */

import type { Language } from '../../../domain/payments/form-session.ts';
import type { Instant } from '../../../foundation/clock.ts';

/** Where the page hears that its payment has changed. It then asks for itself again; nothing else is sent to it. */
export interface LiveStatus {
  /** Server-sent events; the data of each is the version. */
  readonly eventsUrl: string;
  /** The fallback: the version as plain text. */
  readonly versionUrl: string;
}

export interface PageAssets {
  readonly stylesUrl: string;
  readonly scriptUrl: string;
  readonly iconUrl: string;
}

export interface PageContext {
  readonly language: Language;
  /** Of this answer alone; also in its Content-Security-Policy. */
  readonly nonce: string;
  readonly assets: PageAssets;
  readonly now: Instant;
  /** Whether payers reach us by https. */
  readonly isEncrypted: boolean;
  /** The page's own address, which its forms post to. */
  readonly pageUrl: string;
  /** Empty on a page without a payment. */
  readonly csrfToken: string;
  /** Of what the page shows; letters, digits and dashes. Another one means that the page is out of date. */
  readonly version: string;
  /** The same page in each language; null where it can't be asked for again. */
  readonly languageUrls: Readonly<Record<Language, string>> | null;
  readonly live: LiveStatus | null;
}
