/** The management API client of the commands: typed by the contract, with each problem as one sentence. */

import type { ApiCall, ApiRequest } from '../../contract/client.ts';
import type { Proposal } from '../../contract/endpoints/proposals.ts';
import type { EndpointName, Endpoints } from '../../contract/endpoints.ts';
import type { Problem } from '../../contract/parts/answer-parts.ts';
import type { AnswerOf } from '../../contract/parts/endpoint.ts';
import { CommandFailure } from './command-output.ts';

export interface ApiReply {
  readonly status: number;
  readonly entityTag: string | null;
  readonly text: string;
}

interface ApiFile {
  /** The file name in `content-disposition`, without a path. */
  readonly name: string;
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** The management API of this process, or of a running gateway over HTTP. */
export interface ManageApi {
  /** Rejects with the original error if it is an internal error of this process. */
  readonly send: (request: ApiRequest) => Promise<ApiReply>;
  /** Resolves to the file in chunks, or to a response if the API returned a problem. */
  readonly download: (request: ApiRequest) => Promise<ApiFile | ApiReply>;
  /** Returns a new Idempotency-Key. */
  readonly newKey: () => string;
}

/** Maps a field of the body to the option that sets it, if their names differ: `{ reason: 'evidence' }`. */
type OptionNames = Readonly<Record<string, string>>;

export interface CallApi {
  <Name extends EndpointName>(
    name: Name,
    call?: ApiCall<Endpoints[Name]>,
    options?: OptionNames,
  ): Promise<AnswerOf<Endpoints[Name]>>;
  /** Also returns the value for `If-Match`. */
  tagged<Name extends EndpointName>(
    name: Name,
    call?: ApiCall<Endpoints[Name]>,
  ): Promise<{ readonly answer: AnswerOf<Endpoints[Name]>; readonly ifMatch: Readonly<Record<string, string>> }>;
  /** The caller must read it before the command ends. */
  download<Name extends EndpointName>(
    name: Name,
    call: ApiCall<Endpoints[Name]>,
    options?: OptionNames,
  ): Promise<ApiFile>;
}

export function createCallApi(open: () => Promise<ManageApi>): CallApi {
  async function send(name: EndpointName, call: ApiCall<Endpoints[EndpointName]>, options: OptionNames = {}) {
    const api = await open();
    // Imported here, because its schemas are a third of all modules and a serving process does not need them.
    const { requestOf } = await import('../../contract/client.ts');
    const reply = await api.send(requestOf(name, call, api.newKey()));
    const parsed = parse(reply.text);
    if (reply.status === 200) return { answer: parsed as never, reply };
    throw reply.status === 202 ? proposed(parsed as Proposal) : failureOf(reply, parsed, options);
  }
  const call = async (name: EndpointName, given: object = {}, options?: OptionNames) =>
    (await send(name, given, options)).answer;
  const tagged = async (name: EndpointName, given: object = {}) => {
    const { answer, reply } = await send(name, given);
    return { answer, ifMatch: { 'if-match': reply.entityTag ?? '' } };
  };
  const download = async (name: EndpointName, given: object = {}, options: OptionNames = {}) => {
    const api = await open();
    const { requestOf } = await import('../../contract/client.ts');
    const reply = await api.download(requestOf(name, given, api.newKey()));
    if ('pieces' in reply) return reply;
    throw failureOf(reply, parse(reply.text), options);
  };
  return Object.assign(call, { tagged, download }) as CallApi;
}

/** A policy requires a second person, so the action was only proposed. */
function proposed({ proposalId, expiresAt }: Proposal): CommandFailure {
  return new CommandFailure(
    `The action was not executed: a second person must approve proposal ${proposalId} before ${expiresAt}`,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failureOf({ status }: ApiReply, parsed: unknown, options: OptionNames): CommandFailure {
  const problem = parsed as Partial<Problem> | undefined;
  if (typeof problem?.detail !== 'string')
    return new CommandFailure(`The URL is not a management API: it returned status ${status}. Check --url.`);
  return new CommandFailure(withOption(problem.detail, problem.field, options));
}

/** `processUrl is not …` becomes `--process-url is not …`. */
function withOption(detail: string, field: string | undefined, options: OptionNames): string {
  const name = field?.split('/').at(-1) ?? '';
  const shown = detail.replace(/\.$/, '');
  const isNamed = name !== '' && field?.startsWith('/') && new RegExp(`^${name}\\b`).test(detail);
  if (!isNamed) return detail.includes('. ') ? detail : shown;
  const option = options[name] ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `--${option}${shown.slice(name.length)}`;
}
