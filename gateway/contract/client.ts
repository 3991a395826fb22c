/** Builds requests to the management API, typed by the contract. It sends nothing, so that each client has its own transport. */

import { ENDPOINTS, type EndpointName, type Endpoints } from './endpoints.ts';
import { BASE_PATH, type BodyOf, type Endpoint, isWrite, type ParamsOf, type QueryOf } from './parts/endpoint.ts';

/** A parameter that the endpoint lacks does not compile. One without parameters, query or body leaves it out. */
export type ApiCall<Of extends Endpoint> = {
  readonly params?: ParamsOf<Of>;
  readonly query?: QueryOf<Of>;
  readonly body?: BodyOf<Of>;
  readonly headers?: Readonly<Record<string, string>>;
};

export interface ApiRequest {
  readonly method: Endpoint['method'];
  /** With the base path and the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; absent: no body. */
  readonly body?: string;
}

/** `key`: the Idempotency-Key, which only a write sends. */
export function requestOf(
  name: EndpointName,
  { params = {}, query = {}, body, headers = {} }: ApiCall<Endpoints[EndpointName]>,
  key: string,
): ApiRequest {
  const endpoint: Endpoint = ENDPOINTS[name];
  const named = params as Readonly<Record<string, unknown>>;
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(String(named[part])));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([field, value]): [string, string][] =>
      value === undefined ? [] : [[field, String(value)]],
    ),
  ).toString();
  return {
    method: endpoint.method,
    path: `${BASE_PATH}${path}${search === '' ? '' : `?${search}`}`,
    headers: {
      ...(isWrite(endpoint) ? { 'idempotency-key': key } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}
