/**
 * The collections for Postman and Bruno, from openapi/gateway.json. Both use one script that signs every request:
 * openapi/collections/sign-request.js.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../pages.ts';

interface Property {
  readonly const?: string;
  readonly enum?: readonly (string | number)[];
  readonly examples?: readonly string[];
}

interface Schema {
  readonly title?: string;
  readonly description?: string;
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, Property>>;
}

type Fields = Readonly<Record<string, string | number>>;

interface CollectionRequest {
  readonly name: string;
  readonly folder: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: Fields;
  readonly query?: Fields;
}

const { paths, components } = JSON.parse(readFileSync(join(ROOT, 'openapi/gateway.json'), 'utf8'));
const schemas = components.schemas as Readonly<Record<string, Schema>>;

const SEND_PAYOUT = '/merchant/api/payout_send';
const OPEN_FORM = '/payment/form';
const CREATE_DEPOSIT = '/api/v2/spei/host2host/create';
const QUERIES = ['/merchant/api/payout_status', '/payment/balance', '/api/payment-list'];

function coveredBy(description = ''): readonly string[] {
  const [sentence = ''] = description.split('. ');
  return [...new Set([...sentence.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))].filter(
    (name) => name !== 'sign',
  );
}

function payoutMethods(): readonly (readonly [number: string, schema: Schema])[] {
  return Object.entries(schemas).flatMap(([name, schema]) => {
    const [, number] = /^Payout(\d+)$/.exec(name) ?? [];
    return number === undefined ? [] : [[number, schema] as const];
  });
}

/** Returns the signed fields of each path, and of each payout method, in the order in which they are joined. */
function signedTable(): object {
  return {
    [SEND_PAYOUT]: Object.fromEntries(
      payoutMethods().map(([number, { description }]) => [number, coveredBy(description)]),
    ),
    ...Object.fromEntries(QUERIES.map((path) => [path, coveredBy(paths[path].post.description)])),
    [OPEN_FORM]: ['amount', 'currency', 'merchant', 'order'],
  };
}

function exampleOf({ required, properties }: Schema, over: Fields = {}): Fields {
  const fields = required.filter((name) => name !== 'sign');
  const valueFor = ({ const: only, enum: words, examples }: Property = {}) => only ?? words?.[0] ?? examples?.[0] ?? '';
  return Object.fromEntries(fields.map((name) => [name, over[name] ?? valueFor(properties[name])]));
}

const OWN = { merchant: '{{merchant}}' };

export function collectionRequests(): readonly CollectionRequest[] {
  const payouts = payoutMethods().map(([number, schema]) => {
    const body = exampleOf(schema, { ...OWN, payout_id: `A${number}`, amount: '10.00' });
    return { name: schema.title ?? number, folder: 'Payouts', method: 'POST', path: SEND_PAYOUT, body } as const;
  });
  const queries = QUERIES.map((path) => {
    const { summary, requestBody } = paths[path].post;
    const { sign: _sign, ...fields } = requestBody.content['application/json'].example;
    const own = { ...fields, ...OWN, ...('payout_id' in fields ? { payout_id: 'A70' } : {}) };
    return { name: summary, folder: 'Queries', method: 'POST', path, body: own } as const;
  });
  const { requestBody, summary } = paths[CREATE_DEPOSIT].post;
  const deposit = { ...requestBody.content['application/json'].example };
  const link = { ...OWN, order: 'N18', amount: '12.50', currency: 'EUR', item_name: 'Tea', country: 'DE' };
  return [
    ...payouts,
    ...queries,
    { name: summary, folder: 'Deposits', method: 'POST', path: CREATE_DEPOSIT, body: deposit },
    { name: paths[OPEN_FORM].get.summary, folder: 'Deposits', method: 'GET', path: OPEN_FORM, query: link },
    { name: 'The list of banks', folder: 'Deposits', method: 'GET', path: '/api/v2/open-banking/banks' },
  ];
}

const signer = () => readFileSync(join(ROOT, 'openapi/collections/sign-request.js'), 'utf8').trimEnd();
const scriptOf = (adapter: string) => `const SIGNED = ${JSON.stringify(signedTable())};\n\n${signer()}\n\n${adapter}`;

const POSTMAN_ADAPTER = `const variable = (name) => pm.variables.get(name) || '';
const query = {};
pm.request.url.query.each(({ key, value }) => {
  query[key] = pm.variables.replaceIn(value);
});
const signed = signRequest({
  path: '/' + pm.request.url.path.join('/'),
  text: pm.request.body && pm.request.body.raw ? pm.variables.replaceIn(pm.request.body.raw) : '',
  query,
  merchant: variable('merchant'),
  apiKey: variable('api_key'),
  formKey: variable('form_key'),
});
if (signed.text) pm.request.body.update({ mode: 'raw', raw: signed.text, options: { raw: { language: 'json' } } });
for (const key of Object.keys(signed.headers)) pm.request.headers.upsert({ key, value: signed.headers[key] });
if (signed.query.sign) {
  pm.request.url.removeQueryParams('sign');
  pm.request.url.addQueryParams([{ key: 'sign', value: encodeURIComponent(signed.query.sign) }]);
}`;

const BRUNO_ADAPTER = `const variable = (name) => bru.getEnvVar(name) || '';
const [address, search = ''] = bru.interpolate(req.getUrl()).split('?');
const query = {};
for (const pair of search.split('&').filter((one) => one !== '')) {
  const [name, value = ''] = pair.split('=');
  query[decodeURIComponent(name)] = decodeURIComponent(value);
}
const body = req.getBody();
const signed = signRequest({
  path: address.replace(/^https?:\\/\\/[^/]+/, ''),
  text: body ? bru.interpolate(typeof body === 'string' ? body : JSON.stringify(body)) : '',
  query,
  merchant: variable('merchant'),
  apiKey: variable('api_key'),
  formKey: variable('form_key'),
});
if (signed.text) req.setBody(signed.text);
for (const name of Object.keys(signed.headers)) req.setHeader(name, signed.headers[name]);
if (signed.query.sign) {
  req.setUrl(address + '?' + Object.keys(signed.query).map((name) => name + '=' + encodeURIComponent(signed.query[name])).join('&'));
}`;

export const postmanScript = () => scriptOf(POSTMAN_ADAPTER);
export const brunoScript = () => scriptOf(BRUNO_ADAPTER);

const BASE_URL = 'http://127.0.0.1:8080';

function postmanCollection(): object {
  const itemOf = ({ name, method, path, body, query }: CollectionRequest) => ({
    name,
    request: {
      method,
      header: body ? [{ key: 'Content-Type', value: 'application/json' }] : [],
      ...(body
        ? { body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } } }
        : {}),
      url: {
        raw: `{{base_url}}${path}`,
        host: ['{{base_url}}'],
        path: path.slice(1).split('/'),
        query: Object.entries(query ?? {}).map(([key, value]) => ({ key, value })),
      },
    },
  });
  const variables = { base_url: BASE_URL, merchant: 'M1', api_key: '', form_key: '' };
  return {
    info: {
      name: 'Payment gateway',
      description: 'Set base_url, merchant, api_key and form_key. A script signs each request before it is sent.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    item: [...Map.groupBy(collectionRequests(), ({ folder }) => folder)].map(([name, requests]) => ({
      name,
      item: requests.map(itemOf),
    })),
    event: [{ listen: 'prerequest', script: { type: 'text/javascript', exec: postmanScript().split('\n') } }],
    variable: Object.entries(variables).map(([key, value]) => ({ key, value, type: 'string' })),
  };
}

const indent = (text: string) => text.replace(/^(?=.)/gm, '  ');

function brunoRequest({ name, method, path, body, query }: CollectionRequest, at: number): string {
  const search = Object.entries(query ?? {}).map(([key, value]) => `${key}=${value}`);
  const url = `{{base_url}}${path}${search.length > 0 ? `?${search.join('&')}` : ''}`;
  const parts = [
    `meta {\n  name: ${name.replaceAll(':', ' –')}\n  type: http\n  seq: ${at + 1}\n}`,
    `${method.toLowerCase()} {\n  url: ${url}\n  body: ${body ? 'json' : 'none'}\n  auth: none\n}`,
    ...(search.length > 0 ? [`params:query {\n${indent(search.join('\n').replaceAll('=', ': '))}\n}`] : []),
    ...(body ? [`body:json {\n${indent(JSON.stringify(body, null, 2))}\n}`] : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

const fileName = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** Returns the generated files by path. */
export function collectionFiles(): Readonly<Record<string, string>> {
  const folder = 'openapi/collections';
  const about = { version: '1', name: 'Payment gateway', type: 'collection' };
  const requests = collectionRequests().map(
    (request, at) => [`${folder}/bruno/${fileName(request.name)}.bru`, brunoRequest(request, at)] as const,
  );
  return {
    [`${folder}/postman.json`]: `${JSON.stringify(postmanCollection(), null, 2)}\n`,
    [`${folder}/bruno/bruno.json`]: `${JSON.stringify(about, null, 2)}\n`,
    [`${folder}/bruno/collection.bru`]: `script:pre-request {\n${indent(brunoScript())}\n}\n`,
    [`${folder}/bruno/environments/test.bru`]: `vars {\n  base_url: ${BASE_URL}\n  merchant: M1\n}\nvars:secret [\n  api_key,\n  form_key\n]\n`,
    ...Object.fromEntries(requests),
  };
}
