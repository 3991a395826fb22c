/**
 * The management API as an external program knows it: only from openapi/manage.json. It draws requests that match the
 * document, breaks some of them, and checks the responses with a validator that the gateway does not use.
 */
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';

export interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface DescribedOperation {
  readonly operationId: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content: Content }>>;
}

export interface Operation {
  readonly name: string;
  readonly audience: 'all' | 'person' | 'anyone';
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  /** Returns undefined if the response has no schema for this content type. */
  validatorOf(status: number | '4XX', contentType: string): ValidateFunction | undefined;
  readonly fitsBody: ValidateFunction | undefined;
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export function readOperations(file: URL): readonly Operation[] {
  const { paths, components } = JSON.parse(readFileSync(file, 'utf8')) as ApiDocument;
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  formats.default(ajv);
  // Compiled on first use: each compilation walks all components, and most responses never occur.
  const compile = (schema: Schema) => {
    let validate: ValidateFunction | undefined;
    return () => (validate ??= ajv.compile({ ...schema, components }));
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters, requestBody, responses, security }]) => {
      const body = requestBody?.content['application/json']?.schema;
      const fits = body && compile(body);
      const validators = new Map<string, () => ValidateFunction>();
      for (const [status, { content }] of Object.entries(responses))
        for (const [type, { schema }] of Object.entries(content)) validators.set(`${status} ${type}`, compile(schema));
      return {
        audience: security === undefined ? 'all' : security.length === 0 ? 'anyone' : 'person',
        name: operationId,
        method: method.toUpperCase(),
        path,
        parameters,
        body,
        validatorOf: (status: number | '4XX', contentType: string) =>
          validators.get(`${status} ${contentType.split(';')[0] ?? ''}`)?.(),
        get fitsBody() {
          return fits?.();
        },
      };
    }),
  );
}

/** The names of objects that exist, by the name of the parameter or field that contains them. */
export type Known = Readonly<Record<string, readonly unknown[]>>;

/** Draws values that match the schema: known names, examples, limits and random values. */
export function valuesOf(schema: Schema, known: Known, name = ''): fc.Arbitrary<unknown> {
  const likely = [...(known[name] ?? []), ...(schema.examples ?? [])];
  const drawn = drawnValues(schema, known);
  return likely.length > 0 ? fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...likely) }, drawn) : drawn;
}

function drawnValues(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((part) => valuesOf(part, known)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  switch (schema.type) {
    case 'string':
      return textsOf(schema);
    case 'integer':
    case 'number':
      return numbersOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, known), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, 20),
      });
    case 'object':
      return objectsOf(schema, known);
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function textsOf({ format, pattern, minLength = 0, maxLength = 300 }: Schema): fc.Arbitrary<unknown> {
  if (format === 'uuid') return fc.uuid();
  const dates = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true });
  if (format === 'date-time')
    return fc.oneof(
      dates.map((date) => date.toISOString()),
      fc.constantFrom(...STRANGE_TIMES),
    );
  if (format === 'date')
    return fc.oneof(
      dates.map((date) => date.toISOString().slice(0, 10)),
      fc.constant('2024-02-29'),
    );
  if (pattern !== undefined && !['\\S', '^.*$'].includes(pattern))
    return fc
      .stringMatching(new RegExp(pattern))
      .filter((text) => text.length >= minLength && text.length <= maxLength);
  const size = { minLength, maxLength: Math.min(maxLength, 400) };
  const texts = [fc.string(size), fc.string({ ...size, unit: 'grapheme' })];
  return fc.oneof(...texts).filter((text) => pattern !== '\\S' || /\S/.test(text));
}

const STRANGE_TIMES = [
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '2026-12-31T23:59:60Z',
  '2026-06-01T00:00:00+14:00',
];

function numbersOf({ type, minimum, maximum }: Schema): fc.Arbitrary<unknown> {
  const least = minimum ?? -(2 ** 53 - 1);
  const most = maximum ?? 2 ** 53 - 1;
  const limits = fc.constantFrom(least, most);
  const whole = fc.integer({ min: Math.max(least, -(2 ** 31)), max: Math.min(most, 2 ** 31 - 1) });
  return type === 'integer' ? fc.oneof(limits, whole) : fc.oneof(limits, whole, fc.constant(Math.min(most, 0.5)));
}

function objectsOf(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], patternProperties } = schema;
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [name, valuesOf(part, known, name)]),
  );
  const named = fc.record(fields, { requiredKeys: [...required] });
  const [pattern] = Object.entries(patternProperties ?? {});
  if (!pattern) return named;
  const key = fc.oneof(fc.constantFrom(...((known['setting'] ?? ['a']) as string[])), fc.string({ maxLength: 20 }));
  const others = fc.dictionary(key, valuesOf(pattern[1], known, 'settingValue'), { maxKeys: 3, noNullPrototype: true });
  return fc.tuple(named, others).map(([first, second]) => ({ ...second, ...first }));
}

/** Values that few programs expect. */
export const STRANGE: readonly unknown[] = [
  null,
  true,
  0,
  -0,
  -1,
  1e308,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  0.1,
  1e-7,
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udfff',
  '\u202e',
  '\ufeff',
  '٣',
  '１',
  'ﬀ',
  '\u2028',
  '💶'.repeat(99),
  "'; drop table x; --",
  '%',
  '_',
  '\\',
  '$1',
  '$' + '{x}',
  '../..',
  '%00',
  '=1+1',
  '-1',
  '1e3',
  'NaN',
  'Infinity',
  'true',
  'x'.repeat(5_000),
  '9'.repeat(30),
  '2026-02-30',
  '2026-13-01T00:00:00Z',
  '__proto__',
  'constructor',
  'toString',
  [],
  [[]],
  {},
  { a: { b: {} } },
  [null],
  Array.from({ length: 200 }, () => 'x'),
];

/** Replaces, omits or adds one value inside the document. */
export function broken(document: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(document, fc.nat(), fc.constantFrom(...STRANGE), fc.constantFrom('replace', 'replace', 'omit', 'add'))
    .map(([value, place, strange, how]) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return strange;
      const copy: Record<string, unknown> = { ...value };
      const names = Object.keys(copy);
      const name = names[place % Math.max(1, names.length)] ?? 'nothing';
      if (how === 'add') copy[UNKNOWN_FIELD] = strange;
      else if (how === 'omit') delete copy[name];
      else copy[name] = strange;
      return copy;
    });
}

export const UNKNOWN_FIELD = 'nobodyKnowsThis';

/** True if a string in the value cannot be stored or sent. */
export function hasUnclean(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed();
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, part]) => hasUnclean(key) || hasUnclean(part));
}
