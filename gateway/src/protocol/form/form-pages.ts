/** Responds with a page: context, headers and status. It decides nothing: the caller passes the finished view. */
import type { FastifyReply } from 'fastify';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Language } from '../../domain/payments/form-session.ts';
import { sendPage } from './assets/compression.ts';
import type { FormAssets } from './assets/page-assets.ts';
import { themeName } from './assets/theme-style.ts';
import { FORM_PATH, type FormParts, type Visit } from './form-visit.ts';
import { inEachLanguage } from './languages/languages.ts';
import type { PageAssets, PageBrand, PageContext } from './pages/page-context.ts';
import { type PagePlace, pageHeaders, pageStatus } from './pages/page-headers.ts';
import type { PageView, PlainView } from './pages/page-view.ts';
import { renderPage } from './pages/render-page.ts';
import { csrfToken } from './view/form-secrets.ts';
import { choiceQuery, type PageChoice } from './view/page-choice.ts';
import { helpOf, isLive, versionOf } from './view/view-facts.ts';

export interface FormPages {
  /** Shows the page of a payment. `status` overrides the page's own. */
  show(reply: FastifyReply, visit: Visit, choice: PageChoice, view: PageView, status?: number): FastifyReply;
  /** Shows a page without a payment. It has no language links, because it cannot be requested again. */
  showPlain(reply: FastifyReply, view: PlainView, to: PlainReader, status?: number): FastifyReply;
  /** Redirects to a payment's page by a GET, so that a reload does not repeat a POST. */
  goTo(reply: FastifyReply, token: string, choice: PageChoice): FastifyReply;
}

interface PlainReader {
  readonly language: Language;
  /** The payer's merchant, if known. */
  readonly merchant: Merchant | undefined;
}

const NONCE_BYTES = 18;

export function createFormPages(parts: FormParts, assets: FormAssets): FormPages {
  const { clock, random } = parts.payments;

  function answer(reply: FastifyReply, view: PageView, context: PageContext, place: PagePlace, status: number) {
    reply.code(status).headers(pageHeaders(view, context, place));
    return sendPage(reply, renderPage(view, context));
  }

  function plainContext(language: Language, merchant: Merchant | undefined): PageContext {
    return {
      language,
      nonce: random.bytes(NONCE_BYTES).toString('base64'),
      assets: assetUrls(parts, assets),
      brand: brandUrls(parts, merchant),
      help: merchant ? helpOf(merchant) : null,
      siteUrl: merchant?.siteUrl ?? null,
      now: clock.now(),
      isEncrypted: new URL(parts.publicUrl()).protocol === 'https:',
      pageUrl: '',
      csrfToken: '',
      version: '',
      languageUrls: null,
      live: null,
      embeddingOrigins: merchant?.settings.allowed_embedding_origins ?? [],
    };
  }

  return {
    show(reply, visit, choice, view, status = pageStatus(view)) {
      const { record, merchant, token } = visit;
      const language = choice.language ?? record.session.language;
      const context = { ...plainContext(language, merchant), ...ofVisit(parts, visit, choice) };
      const live = isLive(record) ? liveUrls(parts, token) : null;
      return answer(reply, view, { ...context, live }, placeOf(merchant), status);
    },
    showPlain: (reply, view, { language, merchant }, status = pageStatus(view)) =>
      answer(reply, view, plainContext(language, merchant), placeOf(merchant), status),
    goTo: (reply, token, choice) =>
      reply
        .code(303)
        .header('cache-control', 'no-store')
        .header('location', pageUrl(parts, token, choice))
        .send(),
  };
}

/** Returns a path on whichever host the payer's browser uses. */
function pathOf({ publicUrl }: Pick<FormParts, 'publicUrl'>, path: string): string {
  return `${new URL(publicUrl()).pathname.replace(/\/$/, '')}${FORM_PATH}${path}`;
}

export function pageUrl(parts: Pick<FormParts, 'publicUrl'>, token: string, choice: PageChoice): string {
  return pathOf(parts, `/${token}${choiceQuery(choice)}`);
}

function liveUrls(parts: FormParts, token: string) {
  return { eventsUrl: pathOf(parts, `/${token}/events`), versionUrl: pathOf(parts, `/${token}/version`) };
}

function assetUrls(parts: FormParts, assets: FormAssets): PageAssets {
  const urls = Object.entries(assets).map(([key, { name }]) => [key, pathOf(parts, `/assets/${name}`)]);
  return Object.fromEntries(urls) as PageAssets;
}

function brandUrls(parts: FormParts, merchant: Merchant | undefined): PageBrand {
  const { logo = null, brand_color: colour = null } = merchant?.settings ?? {};
  return {
    logoUrl: merchant && logo ? pathOf(parts, `/logos/${encodeURIComponent(merchant.merchantId)}/${logo.name}`) : null,
    themeUrl: colour === null ? null : pathOf(parts, `/themes/${themeName(colour)}`),
  };
}

function ofVisit(parts: FormParts, { token, record }: Visit, choice: PageChoice) {
  const inLanguage = (language: Language) =>
    pageUrl(parts, token, withLanguage(choice, language, record.session.language));
  return {
    pageUrl: pageUrl(parts, token, choice),
    csrfToken: csrfToken(parts, token),
    version: versionOf(record, parts.payments.clock.now()),
    languageUrls: inEachLanguage(inLanguage),
  };
}

/** Omits the language that the merchant requested. */
export function withLanguage({ language: _, ...choice }: PageChoice, language: Language, asked: Language): PageChoice {
  return language === asked ? choice : { ...choice, language };
}

function placeOf(merchant: Merchant | undefined): PagePlace {
  const returns = [merchant?.successUrl, merchant?.failUrl].map((url) => URL.parse(url ?? '')?.origin);
  return {
    embeddingOrigins: merchant?.settings.allowed_embedding_origins ?? [],
    returnOrigins: returns.filter((origin) => origin !== undefined),
  };
}
