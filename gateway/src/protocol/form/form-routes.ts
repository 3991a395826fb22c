/**
 * The routes of the hosted form, in a separate scope. The payer sees every failure as a page in their language, not as an
 * envelope for programs.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { queryOf, readLoosely } from '../http/form-body.ts';
import { failureOf } from '../http/request-failures.ts';
import { assetRoutes } from './assets/asset-routes.ts';
import { brandRoutes } from './assets/brand-routes.ts';
import type { FormAssets } from './assets/page-assets.ts';
import { createFormPages, type FormPages } from './form-pages.ts';
import { FORM_PATH, type FormParts } from './form-visit.ts';
import { acceptedLanguage, readLanguage } from './languages/languages.ts';
import { openingRoutes } from './opening/opening-routes.ts';
import type { PlainView } from './pages/page-view.ts';
import { pageRoutes } from './visit/page-routes.ts';
import { returnRoutes } from './visit/return-routes.ts';
import { statusRoutes } from './visit/status-routes.ts';
import { walletRoutes } from './visit/wallet-routes.ts';

/** Returns a fastify plug-in: `app.register(formRoutes(parts, assets))`. */
export function formRoutes(parts: FormParts, assets: FormAssets): (scope: FastifyInstance) => Promise<void> {
  return async (scope) => {
    const pages = createFormPages(parts, assets);
    acceptForms(scope);
    // Payers have their own traffic class, so that overload from merchants does not lock them out.
    scope.addHook('onRoute', (route) => {
      route.config = { trafficClass: 'payers', ...route.config };
    });
    scope.addHook('onRequest', async (_request, reply) => void reply.header('referrer-policy', 'no-referrer'));
    scope.setErrorHandler((error, request, reply) => answerError(parts, pages, error, request, reply));
    openingRoutes(scope, parts, pages);
    pageRoutes(scope, parts, pages);
    returnRoutes(scope, parts, pages);
    statusRoutes(scope, parts);
    walletRoutes(scope, parts);
    assetRoutes(scope, assets);
    brandRoutes(scope, parts);
  };
}

/** Passes bodies to the routes as text. Each route parses them by its own rules. */
function acceptForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: FastifyRequest, text: string) => text,
  );
}

const TEMPORARY: PlainView = { kind: 'problem', problem: 'temporary_error', shopUrl: null };
const UNREADABLE: PlainView = { kind: 'problem', problem: 'out_of_date', shopUrl: null };

function answerError(
  { onInternalError }: FormParts,
  pages: FormPages,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const asked = readLanguage(readLoosely(queryOf(request)).get('lang') ?? '');
  const language = asked ?? acceptedLanguage(request.headers['accept-language']);
  const reader = { language, merchant: undefined };
  const failure = failureOf(error);
  if (!failure) {
    // An incomplete request had no effect. The payer left, so no one reads this response.
    if (request.raw.complete) onInternalError(error, request.routeOptions.url ?? 'none');
    return pages.showPlain(reply, TEMPORARY, reader);
  }
  const { status } = failure;
  // The server does not read the rest of the body, so the connection cannot carry another request.
  if (status === 413 || status === 415) reply.header('connection', 'close');
  if (status === 429) return pages.showPlain(reply.headers(failure.headers ?? {}), TEMPORARY, reader, status);
  const isLink = request.routeOptions.url === FORM_PATH;
  const view = isLink ? ({ kind: 'invalid_request', field: 'body', problem: 'invalid' } as const) : UNREADABLE;
  return pages.showPlain(reply, view, reader, status);
}
