/**
 * Sends signed requests to Token.io and classifies their results. This file must repeat nothing and decide nothing
 * about money. It reports refused credentials to the hook.
 */
import type { Clock } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import { keepOwnKey } from '../kit/own-key-file.ts';
import {
  isCredentialStatus,
  type ProviderHttp,
  type ProviderReply,
  type ProviderRequest,
} from '../kit/provider-http.ts';
import type { RailHooks } from '../kit/rail-hooks.ts';
import { authorize } from './authentication.ts';
import { TOKEN_IO, type TokenIoConfiguration } from './configuration.ts';

export const TOKEN_IO_CONCURRENCY = 16;
/** Enough for a page of 200 banks with all their capabilities. */
export const TOKEN_IO_LARGEST_ANSWER_BYTES = 4 * 1024 * 1024;

export interface TokenIoParts {
  readonly http: Pick<ProviderHttp, 'exchange'>;
  readonly hooks: RailHooks;
  readonly clock: Clock;
}

interface TokenIoRequest {
  readonly verb: ProviderRequest['verb'];
  readonly path: string;
  /** The query string without its question mark. */
  readonly query?: string;
  /** The body as JSON. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type CallTokenIo = (request: TokenIoRequest, deadline: Deadline) => Promise<ProviderReply>;

export function createTokenIoApi(
  configuration: TokenIoConfiguration,
  { http, hooks, clock }: TokenIoParts,
): CallTokenIo {
  const { memberId, keyId } = configuration;
  const { host, pathname } = new URL(configuration.url);
  const prefix = pathname.replace(/\/$/, '');
  const key = keepOwnKey(configuration, 'ed25519', 'TOKEN_IO_PRIVATE_KEY_FILE');
  return async ({ verb, path, query = '', body = '', headers = {} }, deadline) => {
    const opened = key();
    if (!opened.ok) return { kind: 'not_connected', reason: opened.error };
    const signed = { method: verb, host, path: prefix + path, query, body };
    const authorization = authorize(signed, { memberId, keyId, privateKey: opened.value }, clock.now());
    const ours = { accept: 'application/json', authorization, ...headers };
    const address = { verb, path: query === '' ? path : `${path}?${query}` };
    const request =
      body === ''
        ? { ...address, headers: ours }
        : { ...address, headers: { ...ours, 'content-type': 'application/json' }, body };
    const reply = await http.exchange(request, deadline);
    if (reply.kind === 'answered' && isCredentialStatus(reply.status)) hooks.onCredentialRefused(TOKEN_IO);
    return reply;
  };
}
