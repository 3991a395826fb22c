/**
 * The reference of the merchants' API as one page, from the OpenAPI document and the facts of this gateway, with the values of
 * the merchant that reads it. A browser without scripts shows everything but the search.
 */

import { type Currency, isCurrency } from '../../foundation/currency.ts';
import { attributes, type Html, type HtmlContent, html } from '../form/pages/html.ts';
import { md5Sign, xSign } from '../signatures/merchant-signature.ts';
import type { Json } from './open-api-parts.ts';
import { factsSection, type ReferenceFacts, type ReferenceMethod, type ReferenceOwner } from './reference-facts.ts';

interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly type?: string;
  readonly description?: string;
  readonly pattern?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Content {
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly $ref?: string;
    readonly name?: string;
    readonly description?: string;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<
    Record<
      string,
      { readonly $ref?: string; readonly description?: string; readonly content?: Readonly<Record<string, Content>> }
    >
  >;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

interface Description {
  readonly info: { readonly title: string; readonly description: string };
  readonly paths: Paths;
  readonly webhooks: Paths;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>;
    readonly responses: Readonly<Record<string, { readonly description: string }>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

export function referencePage(document: Json, facts: ReferenceFacts, owner?: ReferenceOwner): string {
  const { info, paths, webhooks, components } = document as unknown as Description;
  const operations = operationsOf(paths);
  const messages = operationsOf(webhooks);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Reference of the payment gateway</title>
<link rel="stylesheet" href="docs/style.css">
<script type="module" src="docs/search.js"></script>
</head>
<body>
<nav aria-label="Contents">
<p><a href="#top">Reference</a></p>
<search hidden><form role="search"><label for="query">Search</label> <input id="query" type="search" autocomplete="off" aria-controls="found"></form>
<div aria-live="polite"><ul id="found"></ul></div></search>
<ul>${['gateway', 'signatures'].map((id) => contentsLine(id, id === 'gateway' ? 'This gateway' : 'Signatures'))}
${operations.map(({ operation }) => contentsLine(operation.operationId, operation.summary))}
${contentsLine('callbacks', 'Callbacks and events')}${contentsLine('objects', 'Objects')}</ul>
</nav>
<main id="top">
<h1>${info.title}</h1>
<p>${prose(info.description)}</p>
<p><a href="docs/gateway.json">The same for programs (OpenAPI 3.1)</a></p>
${factsSection(facts, owner, methodsOf(components.schemas))}
<section id="signatures"><h2>Signatures</h2>
${Object.entries(components.securitySchemes).map(([name, { description }]) => html`<h3>${name}</h3><p>${prose(description)}</p>`)}
</section>
${operations.map((one) => operationSection(one, components.responses, owner))}
<section id="callbacks"><h2>Callbacks and events</h2>
<table><thead><tr><th scope="col">message</th><th scope="col">when</th><th scope="col">body</th></tr></thead>
<tbody>${messages.map(({ path, operation }) => {
    const [content] = Object.values(operation.requestBody?.content ?? {});
    return html`<tr><td><code>${path}</code></td><td>${prose([operation.summary, operation.description].join('. '))}</td><td>${content ? typeOf(content.schema) : null}</td></tr>`;
  })}</tbody></table>
</section>
<section id="objects"><h2>Objects</h2>
${Object.entries(components.schemas).map(([name, schema]) => schemaSection(name, schema))}
</section>
</main>
</body>
</html>
`;
  return page.toString();
}

function operationsOf(paths: Paths) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

const contentsLine = (id: string, text: string) =>
  html`<li><a ${attributes({ href: `#${id}` })}>${prose(text)}</a></li>`;

/** The code spans and bold words of a description. */
function prose(text: string): HtmlContent {
  return text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part.replaceAll('*', '')));
}

function methodsOf(schemas: Description['components']['schemas']): readonly ReferenceMethod[] {
  return Object.entries(schemas).flatMap(([name, { title = name, properties }]) => {
    const currency = properties?.['currency']?.const;
    const number = Number(/^Payout(\d+)$/.exec(name)?.[1]);
    return isCurrency(String(currency)) && number > 0
      ? [{ number, currency: currency as Currency, link: linkTo(name, title) }]
      : [];
  });
}

function operationSection(
  { path, method, operation }: { readonly path: string; readonly method: string; readonly operation: Operation },
  shared: Description['components']['responses'],
  owner: ReferenceOwner | undefined,
): Html {
  const content = Object.entries(operation.requestBody?.content ?? {});
  const example = content.find(([, { example: found }]) => found !== undefined)?.[1].example;
  const isXSigned = (operation.parameters ?? []).some(({ $ref }) => $ref?.endsWith('/XSign'));
  const responses = Object.entries(operation.responses).map(([status, { $ref = '', description, content: body }]) => {
    const [of] = Object.values(body ?? {});
    const words = description ?? shared[lastPart($ref)]?.description ?? '';
    return html`<tr><td>${status}</td><td>${prose(words)}</td><td>${of ? typeOf(of.schema) : null}</td></tr>`;
  });
  return html`<section ${attributes({ id: operation.operationId })}><h2>${prose(operation.summary)}</h2>
<p><code>${method.toUpperCase()} ${path}</code></p>
<p>${prose(operation.description ?? '')}</p>
${(operation.parameters ?? []).map(({ name, description = '', schema }) => (name === undefined ? null : html`<p><code>${name}</code> ${prose(description)} ${schema ? typeOf(schema) : null}</p>`))}
${content.slice(0, 1).map(([, { schema }]) => html`<p>Body: ${typeOf(schema)}, as ${content.map(([type]) => type).join(' or ')}.</p>`)}
${example === undefined ? null : html`<pre tabindex="0"><code>${ownExample(example, isXSigned, owner)}</code></pre>`}
<table><thead><tr><th scope="col">HTTP</th><th scope="col">answer</th><th scope="col">body</th></tr></thead><tbody>${responses}</tbody></table>
</section>`;
}

/**
 * Returns the example with the reader's merchant id. A signature of the example would be invalid for another merchant: the
 * page computes it again with a sandbox key. A live gateway shows only its name.
 */
function ownExample(example: unknown, isXSigned: boolean, owner: ReferenceOwner | undefined): HtmlContent {
  if (owner === undefined || typeof example !== 'object' || example === null) return jsonLines(example);
  const { merchantId: merchant, sandboxKey: key } = owner;
  if ('merchant' in example && 'sign' in example) {
    const { sign: _sign, ...fields } = { ...example, merchant } as Readonly<Record<string, string>>;
    return jsonLines({ ...fields, sign: key === null ? '(signed with your key)' : md5Sign(fields, key) });
  }
  if (!isXSigned || key === null) return jsonLines(example);
  const body = JSON.stringify(example);
  const lines = [`X-Merchant: ${merchant}`, `X-Sign: ${xSign(Buffer.from(body), key)}`, '', body];
  return lines.map(
    (line) => html`${line}
`,
  );
}

/** Keeps the line breaks, which a text drops as control characters. */
function jsonLines(example: unknown): HtmlContent {
  return JSON.stringify(example, null, 2)
    .split('\n')
    .map(
      (line) => html`${line}
`,
    );
}

function schemaSection(name: string, { title, description = '', oneOf, properties = {}, required = [] }: Schema): Html {
  const rows = Object.entries(properties).map(
    ([field, schema]) =>
      html`<tr><td><code>${field}</code></td><td>${required.includes(field) ? 'yes' : 'no'}</td><td>${prose(schema.description ?? '')} ${typeOf(schema)}</td></tr>`,
  );
  const table = html`<table><thead><tr><th scope="col">field</th><th scope="col">mandatory</th><th scope="col">meaning</th></tr></thead><tbody>${rows}</tbody></table>`;
  return html`<section ${attributes({ id: `object-${name}` })}><h3>${title ?? name}</h3>
<p>${prose(description)}</p>
${oneOf ? html`<p>One of ${oneOf.map((each) => html`${typeOf(each)} `)}</p>` : null}
${rows.length === 0 ? null : table}
</section>`;
}

function typeOf({ $ref, oneOf, items, const: only, enum: words, pattern, type }: Schema): HtmlContent {
  if ($ref !== undefined) return linkTo(lastPart($ref), lastPart($ref));
  if (oneOf) return oneOf.map((each, at) => [at === 0 ? null : ' or ', typeOf(each)]);
  if (items) return ['a list of ', typeOf(items)];
  if (only !== undefined) return html`<code>${String(only)}</code>`;
  if (words) return words.map((word, at) => html`${at === 0 ? null : ', '}<code>${String(word)}</code>`);
  return pattern === undefined ? (type ?? null) : html`<code class="pattern">${pattern}</code>`;
}

const lastPart = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1);
const linkTo = (name: string, text: string) => html`<a ${attributes({ href: `#object-${name}` })}>${text}</a>`;

export const REFERENCE_STYLE = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { color: light-dark(#111, #eee); background: light-dark(#fff, #121212); margin: 0; display: grid; grid-template-columns: minmax(12rem, 20rem) minmax(0, 60rem); }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1rem; box-sizing: border-box; }
nav ul { list-style: none; padding: 0; }
nav li { margin: 0.5rem 0; }
input { font: inherit; width: 100%; min-height: 2.75rem; box-sizing: border-box; }
main { padding: 1rem; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; font-weight: bold; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.5rem; border-bottom: 1px solid #8888; }
code { overflow-wrap: anywhere; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid #8888; }
a { color: light-dark(#0645ad, #8ab4f8); }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; } th, td { padding: 0.25rem; } td { overflow-wrap: anywhere; } }
`;
