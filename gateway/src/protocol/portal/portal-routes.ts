/**
 * The portal of merchants and of the operator, on the management listener. It contains no secret except the visitor's own
 * session: the management API decides what a user may see. The content of an asset's URL never changes.
 */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { ASSETS_PATH, PAGE_ROOTS } from '../../../contract/portal-page.ts';
import { acceptsBrotli } from '../http/brotli.ts';
import type { PortalFiles } from './portal-files.ts';

interface PortalParts {
  /** Undefined if the pages are not built. */
  readonly files: PortalFiles | undefined;
  /** Returns a nonce of at least 128 random bits. */
  readonly nonce: () => string;
  /** The visitor's own session, so that the page need not request it. Null if not signed in, undefined if unknown. */
  readonly session: (request: FastifyRequest) => Promise<object | null | undefined>;
}

const NOT_BUILT = 'The pages are not built. Run "npm run portal" in the gateway’s directory, and restart it.\n';

export function portalRoutes({ files, nonce, session }: PortalParts): FastifyPluginAsync {
  return async (app) => {
    const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
      if (!files) return reply.code(503).headers(BARE_HEADERS).send(NOT_BUILT);
      const own = nonce();
      return reply.headers(pageHeaders(own)).send(files.page(own, dataBlock(await session(request))));
    };
    for (const root of PAGE_ROOTS) {
      app.get(`/${root}`, sendPage);
      app.get(`/${root}/*`, sendPage);
    }
    app.get('/', sendPage);
    app.get(`${ASSETS_PATH}/:name`, async (request: FastifyRequest<{ Params: { name: string } }>, reply) => {
      const file = files?.assets.get(request.params.name);
      if (!file) return reply.code(404).headers(BARE_HEADERS).send('');
      const isSmall = file.compressed !== undefined && acceptsBrotli(request);
      return reply
        .headers({
          'content-type': file.contentType,
          'cache-control': 'public, max-age=31536000, immutable',
          'x-content-type-options': 'nosniff',
          vary: 'accept-encoding',
          ...(isSmall ? { 'content-encoding': 'br' } : {}),
        })
        .send(isSmall ? file.compressed : file.body);
    });
  };
}

/** JSON that no text can end the element with. */
const dataBlock = (value: object | null | undefined) =>
  value === undefined ? '' : JSON.stringify(value).replaceAll('<', '\\u003c');

const BARE_HEADERS = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

/** Strict: only own scripts and styles, no embedding, and no requests to other origins. */
function pageHeaders(nonce: string): Readonly<Record<string, string>> {
  const policy = {
    'default-src': "'none'",
    'script-src': `'self' 'nonce-${nonce}'`,
    'style-src': `'self' 'nonce-${nonce}'`,
    'img-src': "'self' data:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
    'base-uri': "'none'",
  };
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': Object.entries(policy)
      .map(([name, sources]) => `${name} ${sources}`)
      .join('; '),
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}
