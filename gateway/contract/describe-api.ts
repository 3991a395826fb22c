/** The management API as an OpenAPI 3.1 document, from the same endpoints and schemas that validate its requests. */
import type { TObject } from 'typebox';
import { Problem } from './answer-parts.ts';
import { BASE_PATH, type Endpoint, isWrite } from './endpoint.ts';
import { ENDPOINTS } from './endpoints.ts';
import { PERMISSIONS } from './permissions.ts';
import { STREAMS, type StreamEndpoint } from './streams.ts';

type Json = Readonly<Record<string, unknown>>;

const PROBLEM = {
  description: 'A problem',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description: 'Unique per act, kept for 30 days. A repetition gets the first answer, and the act happens once.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: true,
  description: 'The ETag of the object as the caller read it',
  schema: { type: 'string' },
};

export function describeApi(): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [name, endpoint] of [...Object.entries(ENDPOINTS), ...Object.entries(STREAMS)] as [string, Endpoint][]) {
    const path = BASE_PATH + endpoint.path;
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describeEndpoint(name, endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'The management API of the payment gateway',
      version: '1',
      description: 'Everything that a merchant’s or an operator’s people and programs can do.',
    },
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: `A token has scopes: ${scopeList()}` },
      },
      schemas: { Problem: Problem },
    },
  };
}

function describeEndpoint(name: string, endpoint: Endpoint): Json {
  const { summary, permission, audience, body, answer, params, query } = endpoint;
  const who = audience === 'own' ? 'Merchants may call it for themselves.' : 'Only the operator may call it.';
  return {
    operationId: name,
    tags: [name.split('.')[0]],
    summary,
    description: `Permission: \`${permission}\`. ${who}`,
    parameters: [
      ...parameters(params, 'path'),
      ...parameters(query, 'query'),
      ...(isWrite(endpoint) ? [IDEMPOTENCY_KEY] : []),
      ...(endpoint.ifMatch ? [IF_MATCH] : []),
    ],
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } } : {}),
    responses: {
      '200': { description: 'Done', content: { [mediaOf(endpoint)]: { schema: answer } } },
      '4XX': PROBLEM,
      '5XX': PROBLEM,
    },
  };
}

function mediaOf(endpoint: Endpoint | StreamEndpoint): string {
  return 'media' in endpoint ? endpoint.media : 'application/json';
}

function parameters(schema: TObject, where: string) {
  const required: readonly string[] = schema.required ?? [];
  return Object.entries(schema.properties).map(([name, property]) => ({
    ...{ name, in: where, required: required.includes(name), schema: property },
  }));
}

function scopeList(): string {
  return Object.entries(PERMISSIONS)
    .map(([name, meaning]) => `\`${name}\` (${meaning})`)
    .join(', ');
}
