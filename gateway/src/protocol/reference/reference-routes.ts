/**
 * The reference at /docs: a page, its stylesheet and the OpenAPI document. It has no script, and its policy allows none. A
 * signed-in person of a merchant sees that merchant's id in the examples.
 */
import type { FastifyPluginAsync } from 'fastify';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { describeWires } from './describe-wires.ts';
import { DESCRIPTION_PATH, REFERENCE_STYLE, type ReferenceFacts, referencePage, STYLE_PATH } from './reference-page.ts';

const HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

export interface ReferenceParts {
  readonly facts: ReferenceFacts;
  /** The merchant for whom the cookies' session acts; null: nobody is signed in, or the operator is. */
  readonly signedInMerchant: (cookies: string | undefined) => Promise<MerchantId | null>;
}

export function referenceRoutes({ facts, signedInMerchant }: ReferenceParts): FastifyPluginAsync {
  return async (app) => {
    let publicPage: string | undefined;
    const send = (path: string, contentType: string, body: () => string) =>
      app.get(path, async (_request, reply) => reply.headers({ ...HEADERS, 'content-type': contentType }).send(body()));
    app.get('/docs', async (request, reply) => {
      const merchantId = await signedInMerchant(request.headers.cookie);
      publicPage ??= referencePage(describeWires(), facts);
      const page = merchantId === null ? publicPage : referencePage(describeWires(), { ...facts, merchantId });
      const caching = merchantId === null ? {} : { 'cache-control': 'private, no-store' };
      return reply.headers({ ...HEADERS, ...caching, 'content-type': 'text/html; charset=utf-8' }).send(page);
    });
    send(STYLE_PATH, 'text/css; charset=utf-8', () => REFERENCE_STYLE);
    send(DESCRIPTION_PATH, 'application/json; charset=utf-8', () => {
      const servers = facts.baseUrl === null ? {} : { servers: [{ url: facts.baseUrl }] };
      return JSON.stringify({ ...describeWires(), ...servers });
    });
  };
}
