/** Validates a request against the schemas of its endpoint. The problem names the first field at fault, and why. */
import type { TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Format } from 'typebox/format';
import { Value } from 'typebox/value';
import type { Endpoint } from '../../../contract/parts/endpoint.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { rejectCardNumbers } from './acts/card-numbers-in-acts.ts';
import type { ManageProblem } from './problems.ts';

const isDateTime = Format.Get('date-time');
/** PostgreSQL and JavaScript read these times the same. Neither clock has a leap second, which the format allows. */
const EARLIEST = Date.UTC(1970, 0);
const LATEST = Date.UTC(9999, 11, 31);
Format.Set('date-time', (text) => {
  const at = Date.parse(text);
  return isDateTime?.(text) === true && at >= EARLIEST && at <= LATEST;
});

/** The parts of a request, before or after their schemas convert them. */
export interface RequestParts {
  readonly params: unknown;
  readonly query: unknown;
  /** Undefined for a request without a body. */
  readonly body: unknown;
}

/** Compiles each schema at its first request: all 300 of them would delay every start by 60 ms. */
export function createRequestReader(endpoint: Endpoint): (raw: RequestParts) => Result<RequestParts, ManageProblem> {
  const readParams = createTextReader(endpoint.params);
  const readQuery = createTextReader(endpoint.query);
  const readBody = endpoint.body ? createReader(endpoint.body) : rejectBody;
  return (raw) => {
    const params = readParams(raw.params);
    if (!params.ok) return params;
    const query = readQuery(raw.query);
    if (!query.ok) return query;
    const body = readBody(raw.body);
    if (!body.ok) return body;
    const problem = rejectCardNumbers(endpoint, { params: params.value, body: body.value });
    if (problem) return fail(problem);
    return ok({ params: params.value, query: query.value, body: body.value });
  };
}

function rejectBody(body: unknown): Result<unknown, ManageProblem> {
  return body === undefined
    ? ok(undefined)
    : fail({ code: 'invalid-request', detail: 'This endpoint does not accept a body.' });
}

/** Reads the path and the query, whose values are strings: it parses numbers and switches. */
function createTextReader(schema: TSchema): (value: unknown) => Result<unknown, ManageProblem> {
  const read = createReader(schema);
  return (texts) => {
    const [unclean] = Object.entries(texts as object).find(([, text]) => String(text).includes('\0')) ?? [];
    if (unclean !== undefined)
      return fail({ code: 'invalid-request', field: `/${unclean}`, detail: `${unclean} must not contain NUL.` });
    return read(Value.Default(schema, readTexts(schema as TObject, texts as Readonly<Record<string, unknown>>)));
  };
}

/** The value of a text, by the type of its field. Any other text stays unchanged, and the schema rejects it. */
const READ_AS: Readonly<Record<string, (text: unknown) => unknown>> = {
  integer: (text) => (typeof text === 'string' && /^-?\d+$/.test(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
};

function readTexts({ properties }: TObject, texts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const read = ([name, text]: [string, unknown]) => [name, READ_AS[typeOf(properties[name])]?.(text) ?? text];
  return Object.fromEntries(Object.entries(texts).map(read));
}

function typeOf(schema: TSchema | undefined): string {
  return schema !== undefined && 'type' in schema ? String(schema.type) : '';
}

function createReader(schema: TSchema): (value: unknown) => Result<unknown, ManageProblem> {
  let compiled: ReturnType<typeof Compile<TSchema>> | undefined;
  return (value) => {
    if (value === undefined) return fail({ code: 'invalid-request', detail: 'The body must be a JSON object.' });
    compiled ??= Compile(schema);
    if (compiled.Check(value)) return ok(value);
    return fail(firstProblem(compiled.Errors(value) as readonly SchemaError[]));
  };
}

interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/**
 * An unknown field is reported first, because it may be a misspelling of the missing field. An error about the parts of a
 * union is followed by one about the union. An error about a complete object is reported at its field.
 */
function firstProblem(errors: readonly SchemaError[]): ManageProblem {
  const error =
    errors.find(({ keyword }) => keyword === 'additionalProperties') ??
    errors.find(({ keyword }) => keyword !== 'boolean') ??
    errors[0];
  const pointer = error?.instancePath ?? '';
  const name = nameOf(error);
  const field = name === undefined ? pointer : `${pointer}/${name}`;
  const reason = error ? reasonOf(error) : 'is invalid';
  return {
    code: 'invalid-request',
    detail: field === '' ? `The request ${reason}.` : `${field.slice(1)} ${reason}.`,
    ...(field === '' ? {} : { field }),
  };
}

/** An error about a missing or an unknown field is reported at its parent. */
function nameOf(error: SchemaError | undefined): string | undefined {
  const named = error?.params['requiredProperties'] ?? error?.params['additionalProperties'];
  return Array.isArray(named) ? String(named[0]) : undefined;
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'must be a time of ISO 8601, such as 2026-11-23T10:00:00Z, from 1970 to 9999',
};

const REASONS: Readonly<Record<string, (error: SchemaError) => string>> = {
  required: () => 'is missing',
  additionalProperties: () => 'is not a field of this endpoint',
  enum: ({ params }) => `must be one of ${(params['allowedValues'] as readonly unknown[]).join(', ')}`,
  pattern: ({ params }) => `must match ${params['pattern']}`,
  format: ({ params }) => FORMATS[String(params['format'])] ?? `must be a ${params['format']}`,
};

function reasonOf(error: SchemaError): string {
  return REASONS[error.keyword]?.(error) ?? error.message;
}
