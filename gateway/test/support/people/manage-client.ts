/** A management API client for tests. It validates every response against the schema of its endpoint. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { type ApiCall, requestOf } from '../../../contract/client.ts';
import { ENDPOINTS, type EndpointName, type Endpoints } from '../../../contract/endpoints.ts';
import { Problem } from '../../../contract/parts/answer-parts.ts';
import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from '../../../contract/parts/endpoint.ts';
import { Rehearsal } from '../../../contract/parts/rehearsals.ts';
import { type Permission, SCOPE_NAMES } from '../../../contract/permissions.ts';
import type { RunningGateway } from '../gateway/running-gateway.ts';
import { sendRequest } from '../tools/send-request.ts';

const PROBLEM = Compile(Problem);
const REHEARSAL = Compile(Rehearsal);
const compileAnswer = (name: EndpointName) => Compile(ENDPOINTS[name].answer as TSchema);
const answers = new Map<EndpointName, ReturnType<typeof compileAnswer>>();

/** Compiles a validator on first use, because a test calls few endpoints. */
function answerOf(name: EndpointName) {
  const compiled = answers.get(name) ?? compileAnswer(name);
  answers.set(name, compiled);
  return compiled;
}

/** A value for every path parameter, naming objects that do not exist. */
export const OF_NOTHING: Readonly<Record<string, string>> = {
  merchantId: 'NOBODY',
  payoutId: 'nothing',
  orderId: 'nothing',
  transactionId: '1',
  callbackId: 'nothing',
  rail: 'nothing',
  transferKey: 'nothing',
  scope: 'rail',
  target: 'nothing',
  day: '2026-11-20',
  kind: 'amount',
  subject: 'nothing',
  reference: 'nothing',
  tokenId: 'nothing',
  method: '9',
  currency: 'EUR',
  personId: 'nothing',
  invitationId: 'nothing',
  sessionId: 'nothing',
  credentialId: 'nothing',
  proposalId: 'nothing',
  batchId: 'nothing',
  requestId: 'nothing',
  journalId: 'nothing',
};

export interface ManageCall<Of extends Endpoint> {
  readonly params?: ParamsOf<Of> | Readonly<Record<string, unknown>>;
  readonly query?: QueryOf<Of> | Readonly<Record<string, unknown>>;
  readonly body?: BodyOf<Of> | Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Defaults to a new key for each write. */
  readonly key?: string;
}

export interface ManageAnswer<Of extends Endpoint> {
  readonly status: number;
  readonly headers: Headers;
  /** Throws unless the response is a success that matches its schema. */
  value(): AnswerOf<Of>;
  /** Returns the body, whether or not it matches a schema. */
  json(): unknown;
  /** Throws unless the response is a problem. */
  problem(): Problem;
}

export interface ManageClient {
  call<Name extends EndpointName>(
    name: Name,
    call?: ManageCall<Endpoints[Name]>,
  ): Promise<ManageAnswer<Endpoints[Name]>>;
}

interface ClientOptions {
  readonly merchantId?: string;
  readonly scopes?: readonly Permission[];
  readonly days?: number;
}

/** Makes the action look as if its process had died three minutes ago, between the action and its record. */
export async function forgetEnd(pool: pg.Pool, key: string): Promise<void> {
  const { rowCount } = await pool.query(
    `update act_answers set ended_at = null, status = null, answer = null, begun_at = begun_at - interval '3 minutes'
     where idempotency_key = $1`,
    [key],
  );
  assert.equal(rowCount, 1);
}

/** Creates a client with a new token. By default it is an operator token with every permission. */
export async function manageClient(gateway: RunningGateway, options: ClientOptions = {}): Promise<ManageClient> {
  const { merchantId = null, scopes = SCOPE_NAMES, days = 1 } = options;
  const issued = await gateway.operations.tokens.issue({ name: 'a test', merchantId, scopes, days });
  assert.ok(issued.ok);
  return clientWith(gateway.manageUrl, issued.value.secret.reveal());
}

/** If `token` is null, the client has no credential. */
export function clientWith(url: string, token: string | null): ManageClient {
  return {
    async call(name, { params = {}, query = {}, body, headers = {}, key = randomUUID() } = {}) {
      const call = { params, query, headers, ...(body === undefined ? {} : { body }) } as ApiCall<
        Endpoints[typeof name]
      >;
      const request = requestOf(name, call, key);
      const response = await sendRequest(url + request.path, {
        method: request.method,
        headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...request.headers },
        ...(request.body === undefined ? {} : { body: request.body }),
      });
      const { text } = response;
      return {
        status: response.status,
        headers: response.headers,
        value() {
          assert.equal(response.status, 200, text);
          const value: unknown = JSON.parse(text);
          const schema = answerOf(name);
          assert.ok(
            schema.Check(value),
            `${name} answered off its schema: ${text} ${JSON.stringify(schema.Errors(value))}`,
          );
          return value as never;
        },
        json: () => JSON.parse(text),
        problem() {
          assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/, text);
          const problem: unknown = JSON.parse(text);
          assert.ok(PROBLEM.Check(problem), text);
          assert.equal(problem.status, response.status);
          return problem;
        },
      };
    },
  };
}

/** Performs a dry run of an action. It sends no Idempotency-Key. */
export async function rehearse<Name extends EndpointName>(
  client: ManageClient,
  name: Name,
  call: ManageCall<Endpoints[Name]>,
): Promise<Rehearsal> {
  const answer = await client.call(name, { ...call, query: { ...call.query, dryRun: true }, key: '' });
  const rehearsal = answer.json();
  assert.equal(answer.status, 200, JSON.stringify(rehearsal));
  assert.ok(REHEARSAL.Check(rehearsal), JSON.stringify(rehearsal));
  return rehearsal;
}
