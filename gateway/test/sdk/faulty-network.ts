/**
 * A network between an SDK and the gateway. The first part of the path selects its fault. `/cut` delivers the first request
 * and breaks the connection before its response; `/page` returns a proxy's page; `/busy` responds to the first request with
 * 429 without delivering it; `/forged` modifies each response; `/rejecting` cuts the first request and rejects all later
 * requests; `/elsewhere` redirects with a rejection; `/failing` responds like a proxy whose error is JSON; `/blocking`
 * responds like a firewall; `/endless` never ends its response; and `/silent` cuts every request. Other paths are delivered
 * unchanged.
 */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface FaultyNetwork {
  readonly url: string;
  close(): Promise<void>;
}

interface Delivered {
  readonly status: number;
  readonly xSign: string;
  readonly body: string;
}

type Fault = (deliver: () => Promise<Delivered>, response: ServerResponse, isFirst: boolean) => Promise<void>;

const REJECTION = JSON.stringify({
  status: 'Error',
  code: '99',
  payout_id: '',
  description: 'Merchant disabled',
  sign: '',
});

const FAULTS: Readonly<Record<string, Fault>> = {
  async cut(deliver, response, isFirst) {
    const answer = await deliver();
    if (isFirst) response.destroy();
    else pass(answer, response);
  },
  async page(deliver, response, isFirst) {
    const answer = await deliver();
    if (isFirst) response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad Gateway</html>');
    else pass(answer, response);
  },
  async busy(deliver, response, isFirst) {
    const reply = JSON.stringify({
      status: 'Error',
      code: '99',
      payout_id: '',
      description: 'Too many requests',
      sign: '',
    });
    if (isFirst) response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '-1' }).end(reply);
    else pass(await deliver(), response);
  },
  async forged(deliver, response) {
    const answer = await deliver();
    pass({ ...answer, body: answer.body.replace(/Pending|Success|990|"clabe":"6|"id":/, 'Blocked') }, response);
  },
  async rejecting(deliver, response, isFirst) {
    if (isFirst) {
      await deliver();
      response.destroy();
    } else response.writeHead(200, { 'content-type': 'application/json' }).end(REJECTION);
  },
  async elsewhere(_deliver, response) {
    response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(REJECTION);
  },
  async failing(deliver, response) {
    await deliver();
    response.writeHead(504, { 'content-type': 'application/json', status: '200 OK' }).end(REJECTION);
  },
  async blocking(deliver, response) {
    await deliver();
    response.writeHead(403, { 'content-type': 'application/json' }).end('{"message":"Forbidden","code":403,"sign":7}');
  },
  async endless(deliver, response) {
    await deliver();
    response.writeHead(200, { 'content-type': 'application/json' });
    const pour = () =>
      void (!response.destroyed && response.write(Buffer.alloc(1_048_576, ' '), () => setImmediate(pour)));
    pour();
  },
  async silent(deliver, response) {
    await deliver();
    response.destroy();
  },
};

const DIRECT: Fault = async (deliver, response) => pass(await deliver(), response);

function pass({ status, xSign, body }: Delivered, response: ServerResponse): void {
  const sign = xSign === '' ? {} : { 'x-sign': xSign };
  response.writeHead(status, { 'content-type': 'application/json', ...sign }).end(body);
}

export async function startFaultyNetwork(gatewayUrl: string): Promise<FaultyNetwork> {
  /** The bodies received so far, to recognise a repeat. */
  const seen = new Set<string>();
  const server = createServer(async (request, response) => {
    const [, first = '', ...rest] = (request.url ?? '').split('/');
    const fault = FAULTS[first];
    const path = fault ? `/${rest.join('/')}` : (request.url ?? '');
    const body = await buffer(request);
    const key = `${first} ${body.toString('latin1')}`;
    const isFirst = !seen.has(key);
    seen.add(key);
    const deliver = async (): Promise<Delivered> => {
      const answer = await fetch(gatewayUrl + path, { method: 'POST', body, headers: passedOn(request.headers) });
      return { status: answer.status, xSign: answer.headers.get('x-sign') ?? '', body: await answer.text() };
    };
    await (fault ?? DIRECT)(deliver, response, isFirst);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function passedOn(headers: IncomingHttpHeaders): Record<string, string> {
  const names = ['content-type', 'x-merchant', 'x-sign'];
  return Object.fromEntries(names.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])));
}
