/**
 * GET /payment/form/{token}/events and /version: an open page learns that it is outdated, through server-sent events or
 * polling. Both must send only a version; the page then reloads itself.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { FORM_PATH, type FormParts, findVisit } from '../form-visit.ts';
import { isLive, versionOf } from '../view/view-facts.ts';
import type { PageRequest } from './page-routes.ts';
import { createStatusWatch, type StatusWatch, type Watched } from './status-watch.ts';

export function statusRoutes(scope: FastifyInstance, parts: FormParts): void {
  const look = (token: string) => lookAt(parts, token);
  const eventsPath = `${FORM_PATH}/:token/events`;
  const onLookFailed = (error: unknown) => parts.onInternalError(error, eventsPath);
  const watch = createStatusWatch({ clock: parts.payments.clock, look, onLookFailed });
  parts.onPaymentChanged(watch.changed);
  // Open streams would prevent the server from closing.
  scope.addHook('preClose', async () => watch.close());

  scope.get(`${FORM_PATH}/:token/version`, async (request: PageRequest, reply) => {
    const found = await look(request.params.token);
    return reply
      .code(found ? 200 : 404)
      .headers(PLAIN)
      .send(found?.version ?? '');
  });
  // Fastify would serve HEAD through this route, but a stream has no headers-only response. The watch limits the
  // number of streams.
  scope.get(
    eventsPath,
    { exposeHeadRoute: false, config: { trafficClass: 'unlimited' } },
    async (request: PageRequest, reply) => {
      const found = await look(request.params.token);
      if (!found) return reply.code(404).headers(PLAIN).send('');
      // Status 204 stops browsers from reconnecting.
      if (!found.isLive) return reply.code(204).headers(PLAIN).send();
      return stream(watch, request.params.token, reply);
    },
  );
}

const PLAIN = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };

async function lookAt(parts: FormParts, token: string): Promise<Watched | undefined> {
  const visit = await findVisit(parts, token);
  if (!visit) return undefined;
  const { record } = visit;
  return { version: versionOf(record, parts.payments.clock.now()), isLive: isLive(record), payment: record.deposit };
}

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // Disables buffering in proxies, which would delay every event.
  'x-accel-buffering': 'no',
};

function stream(watch: StatusWatch, token: string, reply: FastifyReply): FastifyReply {
  const { raw } = reply;
  // The client left before the stream began. No close event follows, so its slot would stay occupied until the timeout.
  if (raw.destroyed) return reply.hijack();
  const stop = watch.watch(token, {
    send: (version) => void raw.write(`data: ${version}\n\n`),
    beat: () => void raw.write(': still here\n\n'),
    end: () => void raw.end(),
  });
  if (!stop)
    return reply
      .code(429)
      .headers({ ...PLAIN, 'retry-after': '5' })
      .send('');
  reply.hijack();
  raw.on('close', stop);
  raw.writeHead(200, STREAM_HEADERS).flushHeaders();
  return reply;
}
