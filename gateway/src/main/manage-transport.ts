/** Opens the management API, in process or over HTTP. */
import { readFile, stat } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import type { ApiRequest } from '../../contract/client.ts';
import { CommandFailure, unreadableText } from '../cli/command-output.ts';
import type { ApiReply, ManageApi } from '../cli/manage-api.ts';
import type { Caller } from '../domain/people/caller.ts';
import { errorCode } from '../foundation/error-code.ts';
import { isLoopbackAddress } from '../foundation/networks.ts';

/** Someone with a shell on the server, who needs no permission. The audit log contains their name. */
export function emergencyCaller(systemUser: string, by: string | undefined): Caller {
  const name = by === undefined ? systemUser : `${by} (${systemUser})`;
  return { actor: { kind: 'emergency', id: systemUser, name }, merchantId: null, permissions: null };
}

/** `internalError` returns the last error that the API reported as internal. The command line explains it itself. */
export function inProcess(app: FastifyInstance, internalError: () => unknown): Pick<ManageApi, 'send' | 'download'> {
  async function inject({ method, path, headers, body }: ApiRequest) {
    const payload = body === undefined ? {} : { payload: body };
    return app.inject({ method, url: path, headers: { ...headers }, ...payload, payloadAsStream: true });
  }
  async function read(reply: Awaited<ReturnType<typeof inject>>): Promise<ApiReply> {
    const payload = await text(reply.stream());
    if (reply.statusCode === 500) throw internalError() ?? new Error(`the management API returned ${payload}`);
    return { status: reply.statusCode, entityTag: String(reply.headers['etag'] ?? ''), text: payload };
  }
  return {
    send: async (request) => read(await inject(request)),
    async download(request) {
      const reply = await inject(request);
      if (reply.statusCode !== 200) return read(reply);
      return { name: fileNameOf(String(reply.headers['content-disposition'])), pieces: reply.stream() };
    },
  };
}

export async function overHttp(
  url: string,
  tokenFile: string | undefined,
): Promise<Pick<ManageApi, 'send' | 'download'>> {
  const origin = originOf(url);
  const token = await readToken(tokenFile);
  const ask = ({ method, path, headers, body }: ApiRequest) =>
    fetch(origin + path, {
      method,
      redirect: 'error',
      headers: { ...headers, authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body }),
    }).catch((error: Error) => {
      const code = errorCode(error.cause) ?? error.message;
      throw new CommandFailure(
        `${origin} did not respond (${code}). If the command changes something, check whether it took effect.`,
      );
    });
  const read = async (response: Response) => ({
    status: response.status,
    entityTag: response.headers.get('etag'),
    text: await response.text(),
  });
  return {
    send: async (request) => read(await ask(request)),
    async download(request) {
      const response = await ask(request);
      if (response.status !== 200 || response.body === null) return read(response);
      return { name: fileNameOf(response.headers.get('content-disposition') ?? ''), pieces: response.body };
    },
  };
}

/** Returns a name without a path, whatever the server sent. */
function fileNameOf(disposition: string): string {
  const [, name = 'download'] = /filename="([\w.-]{1,200})"/.exec(disposition) ?? [];
  return name.replace(/^\.+/, '_');
}

function originOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol))
    throw new CommandFailure('--url must be the URL of a management API, such as https://manage.example', 2);
  const host = parsed.hostname.replace(/^\[|\]$/g, '');
  if (parsed.protocol === 'https:' || host === 'localhost' || isLoopbackAddress(host)) return parsed.origin;
  throw new CommandFailure(
    `--url must begin with https://: http:// would send the token to ${parsed.host} in plain text. Or open a tunnel to an address of this machine.`,
    2,
  );
}

/** The bits of a file mode that let the group and others read or write. */
const OTHERS = 0o077;

async function readToken(path: string | undefined): Promise<string> {
  if (path === undefined)
    throw new CommandFailure('--url needs a token: pass its file with --token-file or GATEWAY_TOKEN_FILE', 2);
  const unreadable = (error: unknown) => {
    throw new CommandFailure(unreadableText(`the token file ${path}`, error), 2);
  };
  const { mode } = await stat(path).catch(unreadable);
  if ((mode & OTHERS) !== 0)
    throw new CommandFailure(`Others may read the token file "${path}". Run: chmod 600 ${path}`, 2);
  const token = (await readFile(path, 'utf8').catch(unreadable)).trim();
  if (/^[\x21-\x7e]{1,200}$/.test(token)) return token;
  throw new CommandFailure(`The file "${path}" must contain one API token and nothing else`, 2);
}
