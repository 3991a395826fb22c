/**
 * The management API client, typed by the contract. An action gets an idempotency key, and a dangerous action a confirmation.
 */
import ENDPOINT_TABLE from 'virtual:endpoints';
import type { Proposal } from '../../../gateway/contract/endpoints/proposals.ts';
import type { EndpointName, Endpoints } from '../../../gateway/contract/endpoints.ts';
import type { Problem } from '../../../gateway/contract/parts/answer-parts.ts';
import type { AnswerOf, BodyOf, ParamsOf, QueryOf } from '../../../gateway/contract/parts/endpoint.ts';
import type { Rehearsal } from '../../../gateway/contract/parts/rehearsals.ts';
import { newId } from '../browser.ts';
import { ApiError, Proposed } from './api-error.ts';

const BASE_PATH = '/manage/v1';

export interface Call<Name extends EndpointName> {
  readonly params?: ParamsOf<Endpoints[Name]>;
  readonly query?: QueryOf<Endpoints[Name]>;
  readonly body?: BodyOf<Endpoints[Name]>;
  /** Makes a repeat of an action idempotent. If undefined, each call is a separate action. */
  readonly idempotencyKey?: string;
  /** The header that confirms a dangerous action. */
  readonly stepUp?: string;
  readonly ifMatch?: string;
  readonly signal?: AbortSignal;
}

export type Answer<Name extends EndpointName> = AnswerOf<Endpoints[Name]>;

/** Throws ApiError and Proposed. */
export async function call<Name extends EndpointName>(name: Name, options: Call<Name> = {}): Promise<Answer<Name>> {
  return (await callTagged(name, options)).answer;
}

interface Tagged<Name extends EndpointName> {
  readonly answer: Answer<Name>;
  /** The value for `ifMatch`. Empty if the response has no ETag. */
  readonly version: string;
}

/** The early reads of the first page, by name and URL. The page uses each once. */
const sentEarly = new Map<string, Promise<Tagged<EndpointName>>>();

const keyOf = <Name extends EndpointName>(name: Name, { params, query }: Call<Name>): string =>
  `${name} ${addressOf(rowOf(name)[1], { ...params }, { ...query })}`;

/** Sends a read while the page that will use it is still loading. */
export function readEarly<Name extends EndpointName>(name: Name, options: Call<Name>): void {
  const sent = send(name, options);
  sent.catch(() => {});
  sentEarly.set(keyOf(name, options), sent);
}

/** Calls the API, and also returns the response's version. */
export function callTagged<Name extends EndpointName>(name: Name, options: Call<Name> = {}): Promise<Tagged<Name>> {
  const key = keyOf(name, options);
  const sent = sentEarly.get(key) as Promise<Tagged<Name>> | undefined;
  sentEarly.delete(key);
  return sent ?? send(name, options);
}

async function send<Name extends EndpointName>(name: Name, options: Call<Name>): Promise<Tagged<Name>> {
  const { params, query, body, idempotencyKey, stepUp, ifMatch, signal } = options;
  const [method, path, isAct] = rowOf(name);
  const headers: Record<string, string> = {
    accept: 'application/json',
    'x-gateway-client': 'portal',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(isAct ? { 'idempotency-key': idempotencyKey ?? newId() } : {}),
    ...(stepUp === undefined ? {} : { 'step-up': stepUp }),
    ...(ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` }),
  };
  const response = await fetch(addressOf(path, { ...params }, { ...query }), {
    method,
    headers,
    credentials: 'same-origin',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(null);
  });
  if (!response.ok) throw new ApiError(await readProblem(response));
  const answer = await response.json();
  if (response.status === 202) throw new Proposed((answer as Proposal).proposalId);
  return { answer: answer as Answer<Name>, version: (response.headers.get('etag') ?? '').replaceAll('"', '') };
}

/** Returns the actions that policies of the operator, or of a merchant, can bind. */
export function boundActs(isOperator: boolean): readonly string[] {
  return Object.entries(ENDPOINT_TABLE)
    .filter(([, [, , , , , boundBy]]) => boundBy === 'own' || (isOperator && boundBy === 'operator'))
    .map(([name]) => name)
    .sort();
}

/** Returns whether the endpoint requires a confirmation, and of which kind. */
export function stepUpOf(name: EndpointName): boolean | 'passkey' | 'strongest' {
  return rowOf(name)[3];
}

/** Returns whether the endpoint supports a dry run. */
export function canRehearse(name: EndpointName): boolean {
  return rowOf(name)[4];
}

/** Returns the effect that an action would have, through a dry run. Throws ApiError. */
export async function rehearse<Name extends EndpointName>(name: Name, options: Call<Name>): Promise<Rehearsal> {
  const query = { ...options.query, dryRun: true } as unknown as NonNullable<Call<Name>['query']>;
  return (await call(name, { ...options, query })) as unknown as Rehearsal;
}

/** Returns the URL of a list’s CSV. */
export function exportAddress(list: string, query: Readonly<Record<string, unknown>>): string {
  return addressOf(`/exports/${list}`, {}, query);
}

/** Returns the URL of an endpoint that returns a file. */
export function fileAddress(
  name: 'statements.show' | 'batches.export',
  params: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>>,
): string {
  return addressOf(rowOf(name)[1], params, query);
}

function rowOf(name: EndpointName) {
  const row = ENDPOINT_TABLE[name];
  if (!row) throw new Error(`No endpoint ${name}`);
  return row;
}

function addressOf(
  path: string,
  params: Readonly<Record<string, unknown>>,
  query: Readonly<Record<string, unknown>>,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  return `${BASE_PATH}${filled}${search.size > 0 ? `?${search}` : ''}`;
}

async function readProblem(response: Response): Promise<Problem | null> {
  try {
    return (await response.json()) as Problem;
  } catch {
    return null;
  }
}
