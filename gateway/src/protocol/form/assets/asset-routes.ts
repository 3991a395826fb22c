/** GET /payment/form/assets/{name}: the style sheet, the script and the icon. The content of a URL never changes. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { FORM_PATH } from '../form-visit.ts';
import { acceptsGzip } from './compression.ts';
import { ASSET_CACHE_CONTROL, type FormAssets } from './page-assets.ts';

export function assetRoutes(scope: FastifyInstance, assets: FormAssets): void {
  const byName = new Map(Object.values(assets).map((asset) => [asset.name, asset]));
  scope.get(`${FORM_PATH}/assets/:name`, async (request: FastifyRequest<{ Params: { name: string } }>, reply) => {
    const asset = byName.get(request.params.name);
    if (!asset) return reply.code(404).header('cache-control', 'no-store').send();
    const isGzipped = acceptsGzip(request);
    return reply
      .headers({
        'content-type': asset.contentType,
        'cache-control': ASSET_CACHE_CONTROL,
        'x-content-type-options': 'nosniff',
        vary: 'accept-encoding',
        ...(isGzipped ? { 'content-encoding': 'gzip' } : {}),
      })
      .send(isGzipped ? asset.gzipped : asset.body);
  });
}
