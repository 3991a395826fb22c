/** The reference at /docs: a page, its stylesheet and the OpenAPI document. It has no script, and its policy allows none. */
import type { FastifyPluginAsync } from 'fastify';
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

export function referenceRoutes(facts: ReferenceFacts): FastifyPluginAsync {
  return async (app) => {
    let page: string | undefined;
    const send = (path: string, contentType: string, body: () => string) =>
      app.get(path, async (_request, reply) => reply.headers({ ...HEADERS, 'content-type': contentType }).send(body()));
    send('/docs', 'text/html; charset=utf-8', () => {
      page ??= referencePage(describeWires(), facts);
      return page;
    });
    send(STYLE_PATH, 'text/css; charset=utf-8', () => REFERENCE_STYLE);
    send(DESCRIPTION_PATH, 'application/json; charset=utf-8', () => {
      const servers = facts.baseUrl === null ? {} : { servers: [{ url: facts.baseUrl }] };
      return JSON.stringify({ ...describeWires(), ...servers });
    });
  };
}
