/**
 * The reference at /docs: a page, its style sheet, the script of its search and the OpenAPI document. A signed-in merchant
 * user sees that merchant's id in the examples; in a sandbox, also its key and signed examples.
 */
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import type { FastifyPluginAsync } from 'fastify';
import { describeWires } from './describe-wires.ts';
import type { ReferenceFacts, ReferenceOwner } from './reference-facts.ts';
import { REFERENCE_STYLE, referencePage } from './reference-page.ts';

/** The page links to them relative to its own URL, because a sandbox serves it below the merchant's id. */
const DESCRIPTION_PATH = '/docs/gateway.json';
const STYLE_PATH = '/docs/style.css';
const SEARCH_PATH = '/docs/search.js';
const SEARCH = readFileSync(join(import.meta.dirname, 'reference-search.js'), 'utf8');

const HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

export interface ReferenceParts {
  readonly facts: ReferenceFacts;
  /** Returns the signed-in merchant. Returns undefined if the reader is the operator or not signed in. */
  readonly ownerOf: (headers: IncomingHttpHeaders) => Promise<ReferenceOwner | undefined>;
}

/** A browser then asks for user name and password. Only a sandbox does this. */
const CHALLENGE = 'Basic realm="Merchant id, and API key of the sandbox", charset="UTF-8"';

export function referenceRoutes({ facts, ownerOf }: ReferenceParts): FastifyPluginAsync {
  return async (app) => {
    let publicPage: string | undefined;
    const send = (path: string, contentType: string, body: () => string) =>
      app.get(path, async (_request, reply) => reply.headers({ ...HEADERS, 'content-type': contentType }).send(body()));
    app.get<{ Querystring: { mine?: string } }>('/docs', async ({ headers, query }, reply) => {
      const owner = await ownerOf(headers);
      const isChallenged = owner === undefined && facts.isSandbox && query.mine !== undefined;
      publicPage ??= referencePage(describeWires(), facts);
      const page = owner === undefined ? publicPage : referencePage(describeWires(), facts, owner);
      const caching = owner === undefined ? {} : { 'cache-control': 'private, no-store' };
      if (isChallenged) void reply.status(401).header('www-authenticate', CHALLENGE);
      return reply.headers({ ...HEADERS, ...caching, 'content-type': 'text/html; charset=utf-8' }).send(page);
    });
    send(STYLE_PATH, 'text/css; charset=utf-8', () => REFERENCE_STYLE);
    send(SEARCH_PATH, 'text/javascript; charset=utf-8', () => SEARCH);
    // Cached, because the page is public and rendering it takes milliseconds.
    let description: string | undefined;
    send(DESCRIPTION_PATH, 'application/json; charset=utf-8', () => {
      const servers = facts.baseUrl === null ? {} : { servers: [{ url: facts.baseUrl }] };
      description ??= JSON.stringify({ ...describeWires(), ...servers });
      return description;
    });
  };
}
