/** Posts JSON to the client's URL, with the bank's certificate if the URL is HTTPS. */
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { rootCertificates } from 'node:tls';
import type { Certified } from '../kernel/certificates.ts';

export interface Caller extends Certified {
  /** An authority in PEM that is trusted in addition to the default ones. */
  readonly ca: string;
}

const TIMEOUT_MS = 10_000;

/** Follows no redirects. Resolves to the status, or to the reason for its absence. */
export function postWithCertificate(
  url: string,
  body: string,
  caller: Caller,
  stopping: AbortSignal,
): Promise<{ readonly status: number } | { readonly refusal: string }> {
  const isTls = url.startsWith('https:');
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]);
  const identity = { cert: caller.certificate, key: caller.privateKey, ca: [...rootCertificates, caller.ca] };
  return new Promise((resolve) => {
    const answered = (response: IncomingMessage) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0 });
    };
    const options = { method: 'POST', headers, signal, agent: false } as const;
    const request = isTls
      ? requestTls(url, { ...options, ...identity }, answered)
      : requestPlain(url, options, answered);
    request.on('error', (error) => resolve({ refusal: error.message })).end(body);
  });
}
