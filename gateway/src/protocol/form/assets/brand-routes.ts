/**
 * GET /payment/form/themes/{name} and /payment/form/logos/{merchant}/{name}: a merchant's colour and logo, from our own
 * origin. The content of a URL never changes.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FORM_PATH, type FormParts } from '../form-visit.ts';
import { ASSET_CACHE_CONTROL } from './page-assets.ts';
import { findTheme } from './theme-style.ts';

/** A picture must run and load nothing, even if a browser opens its URL directly. */
const PICTURE_POLICY = "default-src 'none'; sandbox";

export function brandRoutes(scope: FastifyInstance, { directory }: Pick<FormParts, 'directory'>): void {
  scope.get(`${FORM_PATH}/themes/:name`, (request: FastifyRequest<{ Params: { name: string } }>, reply) => {
    const style = findTheme(request.params.name);
    return style === undefined ? nothing(reply) : send(reply, 'text/css; charset=utf-8', style);
  });
  scope.get(
    `${FORM_PATH}/logos/:merchantId/:name`,
    async (request: FastifyRequest<{ Params: { merchantId: string; name: string } }>, reply) => {
      const found = await directory.find(request.params.merchantId);
      const logo = found?.merchant.settings.logo;
      if (!logo || logo.name !== request.params.name) return nothing(reply);
      return send(reply.header('content-security-policy', PICTURE_POLICY), logo.contentType, logo.body);
    },
  );
}

function send(reply: FastifyReply, contentType: string, body: string | Buffer): FastifyReply {
  return reply
    .headers({
      'content-type': contentType,
      'cache-control': ASSET_CACHE_CONTROL,
      'x-content-type-options': 'nosniff',
    })
    .send(body);
}

function nothing(reply: FastifyReply): FastifyReply {
  return reply.code(404).header('cache-control', 'no-store').send();
}
