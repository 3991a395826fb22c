/**
 * A program that knows the management API only from openapi/manage.json: it builds its calls from the document at run time and
 * imports nothing of the gateway.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sendRequest } from '../tools/send-request.ts';
import { type Operation, readOperations } from './described-api.ts';

export const DESCRIBED: ReadonlyMap<string, Operation> = new Map(
  readOperations(new URL('../../../../openapi/manage.json', import.meta.url)).map((each) => [each.name, each]),
);

export type Values = Readonly<Record<string, unknown>>;
// biome-ignore lint/suspicious/noExplicitAny: the document says at run time what a response has.
type Answer = any;

export interface OutsideProgram {
  /**
   * Places the values as the document says: into the path, the query, a header or the body. Throws unless the call succeeds.
   */
  do(name: string, values?: Values): Promise<Answer>;
  /** Reads a stream until the text so far is sufficient, then closes it. */
  read(name: string, values: Values, isEnough: (text: string) => boolean): Promise<string>;
  /** Like `do`, but returns the proposal that the action became. */
  propose(name: string, values?: Values): Promise<Answer>;
  /** The `ETag` of the last response. */
  readonly entityTag: string;
  /** The `Set-Cookie` of the last response. */
  readonly cookie: string;
  /** The operations that succeeded. */
  readonly done: ReadonlySet<string>;
}

export interface Credential {
  readonly headers: Readonly<Record<string, string>>;
  /** Signs the challenge of a dangerous action. Undefined for a program with a token, which needs no confirmation. */
  readonly confirm?: (publicKey: Answer) => unknown;
}

/** The maximum time until a stream has sent enough. */
const STREAMS_MS = 30_000;

export function outsideProgram(url: string, { headers: own, confirm }: Credential): OutsideProgram {
  const done = new Set<string>();
  const latest = { entityTag: '', cookie: '' };
  async function send(operation: Operation, values: Values, more: Readonly<Record<string, string>> = {}) {
    const { path, query, body } = placed(operation, values);
    const takes = (header: string) =>
      operation.parameters.some(({ in: at, name }) => at === 'header' && name === header);
    if (operation.fitsBody && body !== undefined)
      assert.ok(operation.fitsBody(body), `${operation.name}: ${JSON.stringify([body, operation.fitsBody.errors])}`);
    const { status, headers, text } = await sendRequest(`${url}${path}${query}`, {
      method: operation.method,
      headers: {
        ...own,
        ...(takes('Idempotency-Key') ? { 'idempotency-key': randomUUID() } : {}),
        ...(takes('If-Match') ? { 'if-match': latest.entityTag } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...more,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    latest.entityTag = headers.get('etag') ?? '';
    latest.cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const type = headers.get('content-type') ?? '';
    const answer: unknown = type.includes('json') ? JSON.parse(text) : text;
    const validate = operation.validatorOf(status < 300 ? status : '4XX', type);
    assert.ok(validate, `${operation.name} answers ${status} ${type}, which the document does not have: ${text}`);
    if (type.includes('json'))
      assert.ok(validate(answer), `${operation.name}: ${JSON.stringify(validate.errors)} ${text}`);
    return { status, answer, text };
  }

  /** Returns the header that confirms exactly this action. */
  async function proofOf(operation: Operation, values: Values): Promise<Readonly<Record<string, string>>> {
    if (!confirm || !operation.parameters.some(({ name }) => name === 'Step-Up')) return {};
    const { params, asked, body } = placed(operation, values);
    const stepUp = { endpoint: operation.name, params, query: asked, ...(body === undefined ? {} : { body }) };
    const { entityTag } = latest;
    const { answer } = await send(described('session.stepUp'), { ...stepUp });
    done.add('session.stepUp');
    latest.entityTag = entityTag;
    const { challengeId, publicKey } = answer as Answer;
    const proof = { challengeId, assertion: confirm(publicKey) };
    return { 'step-up': Buffer.from(JSON.stringify(proof)).toString('base64url') };
  }

  async function perform(status: number, name: string, values: Values = {}) {
    const operation = described(name);
    const reply = await send(operation, values, await proofOf(operation, values));
    assert.equal(reply.status, status, `${name} ${JSON.stringify(values)}: ${reply.text}`);
    if (status === 200) done.add(name);
    return reply.answer;
  }

  async function read(name: string, values: Values, isEnough: (text: string) => boolean): Promise<string> {
    const operation = described(name);
    const { path, query } = placed(operation, values);
    const end = new AbortController();
    const signal = AbortSignal.any([end.signal, AbortSignal.timeout(STREAMS_MS)]);
    const text = await readStream(operation, await fetch(`${url}${path}${query}`, { headers: own, signal }), isEnough);
    end.abort();
    done.add(name);
    return text;
  }

  return {
    done,
    read,
    do: (name, values) => perform(200, name, values),
    propose: (name, values) => perform(202, name, values),
    get entityTag() {
      return latest.entityTag;
    },
    get cookie() {
      return latest.cookie;
    },
  };
}

async function readStream(operation: Operation, response: Response, isEnough: (text: string) => boolean) {
  const type = response.headers.get('content-type') ?? '';
  assert.ok(operation.validatorOf(response.status, type), `${operation.name} answers ${response.status} ${type}`);
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (!isEnough(text)) {
    const piece = await reader?.read().catch(() => undefined);
    assert.ok(piece?.value, `${operation.name} ended after: ${text}`);
    text += decoder.decode(piece.value, { stream: true });
  }
  return text;
}

function described(name: string): Operation {
  return DESCRIBED.get(name) ?? assert.fail(`the document has no operation ${name}`);
}

/** A value that is not a parameter becomes a field of the body. */
function placed({ name: operation, path, parameters, body: schema }: Operation, values: Values) {
  const at = (place: string) => parameters.filter((each) => each.in === place).map(({ name }) => name);
  const [inPath, inQuery] = [at('path'), at('query')];
  const pick = (names: readonly string[]) =>
    Object.fromEntries(names.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]));
  const rest = Object.keys(values).filter((name) => !inPath.includes(name) && !inQuery.includes(name));
  assert.ok(schema !== undefined || rest.length === 0, `${operation} does not take ${rest}`);
  const asked = pick(inQuery);
  const search = new URLSearchParams(
    Object.entries(asked).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return {
    params: pick(inPath),
    asked,
    query: search === '' ? '' : `?${search}`,
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name]))),
    body: schema === undefined ? undefined : pick(rest),
  };
}
