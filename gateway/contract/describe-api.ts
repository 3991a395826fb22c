/** The management API as an OpenAPI 3.1 document, from the same endpoints and schemas that validate its requests. */
import type { TObject, TSchema } from 'typebox';
import { Proposal } from './endpoints/proposals.ts';
import { ENDPOINTS } from './endpoints.ts';
import { Problem } from './parts/answer-parts.ts';
import { BASE_PATH, canBeBound, type Endpoint, isAct, permissionsOf } from './parts/endpoint.ts';
import { Rehearsal } from './parts/rehearsals.ts';
import { PERMISSIONS } from './permissions.ts';
import { STREAMS, type StreamEndpoint } from './streams.ts';

type Json = Readonly<Record<string, unknown>>;

const PROBLEM = {
  description: 'A problem',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

const PROPOSED = {
  description:
    'A rule requires a second person. The gateway has not performed the action yet: the proposal waits for that person',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Proposal' } } },
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description:
    'Unique per action, kept for 30 days. A repeated request returns the first response, without any other effect.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const STEP_UP = {
  name: 'Step-Up',
  in: 'header',
  required: false,
  description: `Mandatory for users: the base64url-encoded JSON of a passkey signature or a code that confirms exactly this action`,
  schema: { type: 'string' },
};

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: true,
  description: 'The ETag of the object as the caller read it',
  schema: { type: 'string' },
};

const CALLERS: Readonly<Record<Endpoint['audience'], string>> = {
  own: 'Merchants may call it for their own data.',
  operator: 'Only the operator may call it.',
  person: 'Only a signed-in user may call it.',
  anyone: 'It needs no credential.',
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
      description: 'Every operation for users and programs of the operator and of merchants.',
    },
    security: [{ token: [] }, { session: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: `A token has scopes: ${scopeList()}` },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-gateway-session',
          description: 'The session of a signed-in user. Writes need the header X-Gateway-Client as well.',
        },
      },
      schemas: { Problem, Proposal, Rehearsal },
    },
  };
}

function describeEndpoint(name: string, endpoint: Endpoint): Json {
  const { summary, audience, body, params, query } = endpoint;
  const permission = permissionsOf(endpoint)
    .map((each) => `\`${each}\``)
    .join(' or ');
  return {
    operationId: name,
    tags: [name.split('.')[0]],
    summary,
    description: `${permission === '' ? '' : `Permission: ${permission}. `}${CALLERS[audience]}`,
    ...(audience === 'anyone' ? { security: [] } : audience === 'person' ? { security: [{ session: [] }] } : {}),
    parameters: [
      ...parameters(params, 'path'),
      ...parameters(query, 'query'),
      ...(endpoint.ifMatch ? [IF_MATCH] : []),
      ...(isAct(endpoint) ? [IDEMPOTENCY_KEY] : []),
      ...(endpoint.stepUp ? [STEP_UP] : []),
    ],
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } } : {}),
    responses: {
      '200': { description: 'Done', content: contentOf(endpoint) },
      ...(canBeBound(endpoint) ? { '202': PROPOSED } : {}),
      '4XX': PROBLEM,
      '5XX': PROBLEM,
    },
  };
}

/** With `dryRun=true` an action answers what it would do. */
function answerOf({ answer, rehearsal }: Endpoint): TSchema | Json {
  return rehearsal === undefined ? answer : { anyOf: [answer, { $ref: '#/components/schemas/Rehearsal' }] };
}

function contentOf(endpoint: Endpoint): Json {
  const files = (endpoint.files ?? []).map((type) => [type, { schema: { type: 'string', format: 'binary' } }]);
  return { [mediaOf(endpoint)]: { schema: answerOf(endpoint) }, ...Object.fromEntries(files) };
}

function mediaOf(endpoint: Endpoint | StreamEndpoint): string {
  return 'media' in endpoint ? endpoint.media : 'application/json';
}

function parameters(schema: TObject, where: string) {
  const required: readonly string[] = schema.required ?? [];
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: where,
    required: required.includes(name),
    schema: property,
  }));
}

function scopeList(): string {
  return Object.entries(PERMISSIONS)
    .map(([name, meaning]) => `\`${name}\` (${meaning})`)
    .join(', ');
}
