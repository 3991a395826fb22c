/**
 * One listener for all worlds: `/{merchant}/…` is that merchant's gateway with its reference at `/docs`, and
 * `/{merchant}/sandbox` takes orders that the merchant's API key signs. A world has no access to the others.
 */
import { createServer, type IncomingMessage, request as requestTo, type ServerResponse } from 'node:http';
import { MODE_HEADER } from '../../gateway/src/foundation/environment.ts';
import { isSignedBy } from '../../gateway/src/main/sandbox/sandbox-parts.ts';
import { explainRefusal, mayExplain } from './explain-refusals.ts';
import { type Answer, type OrderedWorld, obey } from './orders.ts';

interface WorldsListener {
  readonly port: number;
  close(): Promise<void>;
}

interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly find: (merchantId: string) => OrderedWorld | undefined;
}

const LONGEST_ORDER_BYTES = 64 * 1_024;

export async function serveWorlds({ host, port, find }: ListenerOptions): Promise<WorldsListener> {
  const server = createServer((request, response) => {
    const [, merchantId = '', rest = ''] = /^\/([^/?]+)(.*)$/.exec(request.url ?? '') ?? [];
    const ordered = find(merchantId);
    if (!ordered) return send(response, { status: 404, body: { error: 'This sandbox world does not exist' } });
    if (rest === '/sandbox') return void answerOrder(ordered, request, response);
    passOn(ordered, rest || '/', request, response);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', [MODE_HEADER]: 'sandbox' });
  response.end(JSON.stringify(body));
}

/** The paths of the reference, which the world serves on the listener of its management API. */
const REFERENCE = /^\/docs(?:\/[\w.-]+)?(?:\?|$)/;

async function answerOrder(ordered: OrderedWorld, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const bytes = await readBody(request, LONGEST_ORDER_BYTES);
    const { core } = ordered.world().gateway;
    const isProven = await isSignedBy(core, ordered.merchantId, bytes, String(request.headers['x-sign'] ?? ''));
    if (!isProven)
      return send(response, { status: 401, body: { error: 'X-Sign must sign the body with the API key' } });
    send(response, await ordered.inTurn(() => obey(ordered, bytes)));
  } catch (error) {
    send(response, { status: 500, body: { error: error instanceof Error ? error.message : 'The order failed' } });
  }
}

async function readBody(request: IncomingMessage, limit = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (length > limit) throw new Error('The order is too long');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/**
 * The bytes pass unchanged, because signatures cover them, and so does the path: `..` in it must not lead from one
 * listener of the world to another. The world believes this proxy, which has verified no client's certificate.
 */
function passOn(ordered: OrderedWorld, path: string, request: IncomingMessage, response: ServerResponse): void {
  const { remoteAddress = '' } = request.socket;
  const { 'client-cert': _unproved, ...received } = request.headers;
  const headers = { ...received, 'x-forwarded-for': remoteAddress };
  const sent: Buffer[] = [];
  const { url, referenceUrl } = ordered.world();
  const { hostname, port } = new URL(REFERENCE.test(path) ? referenceUrl : url);
  const method = request.method ?? 'GET';
  const onward = requestTo({ hostname, port, path: path.replace(/^\?/, '/?'), method, headers }, (answer) => {
    if (mayExplain(path)) return void answerExplained(ordered, path, request, Buffer.concat(sent), answer, response);
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  if (mayExplain(path)) request.on('data', (chunk: Buffer) => sent.push(chunk));
  onward.on('error', () => (response.headersSent ? response.destroy() : send(response, { status: 502, body: {} })));
  response.once('close', () => onward.destroy());
  request.pipe(onward);
}

async function answerExplained(
  { merchantId, world }: OrderedWorld,
  path: string,
  request: IncomingMessage,
  sent: Buffer,
  answer: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const body = await readBody(answer);
    const refused = { path, sent, xSign: request.headers['x-sign'], reply: body.toString() };
    const headers = { ...answer.headers, ...(await explainRefusal(world().gateway.core, merchantId, refused)) };
    response.writeHead(answer.statusCode ?? 502, headers).end(body);
  } catch {
    response.destroy();
  }
}
