/**
 * Writes the payout types of the three SDKs from openapi/gateway.json: `npx node sdk/write-types.ts`, after a change of the
 * merchants' API. A test fails if they are stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Property {
  readonly const?: string;
  readonly enum?: readonly (string | number)[];
  readonly description?: string;
}

interface MethodSchema {
  readonly title: string;
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, Property>>;
}

interface Method {
  readonly number: number;
  readonly title: string;
  readonly currency: string;
  /** Without the fields that the SDK fills in. */
  readonly fields: readonly { readonly name: string; readonly mandatory: boolean; readonly description: string }[];
  /** The fields that `sign` covers, in the order in which they are joined. */
  readonly covered: readonly string[];
}

/** The SDK fills these in. */
const FILLED_IN = new Set(['merchant', 'method', 'sign']);

const GENERATED = 'Generated from openapi/gateway.json by sdk/write-types.ts.';

function readMethods(): Method[] {
  const document = JSON.parse(readFileSync(join(import.meta.dirname, '../openapi/gateway.json'), 'utf8'));
  const schemas = document.components.schemas as Readonly<Record<string, MethodSchema & { description: string }>>;
  return Object.entries(schemas).flatMap(([name, { title, required, properties, description }]) => {
    const number = Number(/^Payout(\d+)$/.exec(name)?.[1]);
    if (Number.isNaN(number)) return [];
    const fields = Object.entries(properties).filter(([field]) => !FILLED_IN.has(field));
    return [
      {
        number,
        title: title.replace(/^Method \d+: /, ''),
        currency: properties['currency']?.const ?? '',
        fields: fields.map(([field, property]) => ({
          name: field,
          mandatory: required.includes(field),
          description: property.description ?? '',
        })),
        covered: [...(description.split('. ')[0] ?? '').matchAll(/`(\w+)`/g)]
          .map(([, field]) => field ?? '')
          .filter((field) => field !== 'sign'),
      },
    ];
  });
}

function writeTypeScript(methods: readonly Method[]): string {
  const types = methods.map(
    ({ number, title, currency, fields }) => `/** ${title} */
export interface Payout${number} {
  readonly method: ${number};
${fields
  .map(({ name, mandatory, description }) => {
    const type = name === 'currency' ? `'${currency}'` : 'string';
    const words = description === '' ? '' : `  /** ${description} */\n`;
    return `${words}  readonly ${name}${mandatory ? '' : '?'}: ${type};`;
  })
  .join('\n')}
}
`,
  );
  const covered = methods.map(({ number, covered: names }) =>
    inLines(
      `  ${number}: `,
      names.map((name) => `'${name}'`),
    ),
  );
  return `/** ${GENERATED} */

${types.join('\n')}
export type Payout =
${methods.map(({ number }) => `  | Payout${number}`).join('\n')};

/** The fields that \`sign\` covers, by method. */
export const COVERED: Readonly<Record<number, readonly string[]>> = {
${covered.join('\n')}
};
`;
}

const LINE_WIDTH = 120;

/** Formats a list like biome: on one line, or one item per line. */
function inLines(start: string, items: readonly string[]): string {
  const line = `${start}[${items.join(', ')}],`;
  return line.length <= LINE_WIDTH ? line : `${start}[\n${items.map((item) => `    ${item},\n`).join('')}  ],`;
}

function writePython(methods: readonly Method[]): string {
  const classes = methods.map(({ number, title, currency, fields }) => {
    const line = ({ name, mandatory }: Method['fields'][number]) => {
      const type = name === 'currency' ? `Literal["${currency}"]` : 'str';
      return `    ${name}: ${type}${mandatory ? '' : '  # optional'}`;
    };
    const mandatory = fields.filter((field) => field.mandatory).map(line);
    const optional = fields.filter((field) => !field.mandatory).map(line);
    const base = optional.length === 0 ? 'TypedDict' : `_Optional${number}`;
    const parts =
      optional.length === 0 ? '' : `class _Optional${number}(TypedDict, total=False):\n${optional.join('\n')}\n\n\n`;
    return `${parts}class Payout${number}(${base}):\n    """${title}"""\n\n    method: Literal[${number}]\n${mandatory.join('\n')}\n`;
  });
  const union = methods.map(({ number }) => `    Payout${number},`).join('\n');
  const covered = methods.map(
    ({ number, covered: names }) => `    ${number}: (${names.map((name) => `"${name}"`).join(', ')}),`,
  );
  return `"""${GENERATED}"""

from typing import Dict, Literal, Tuple, TypedDict, Union


${classes.join('\n\n')}

Payout = Union[
${union}
]

#: The fields that \`sign\` covers, by method.
COVERED: Dict[int, Tuple[str, ...]] = {
${covered.join('\n')}
}
`;
}

function writePhp(methods: readonly Method[]): string {
  const shapes = methods.map(({ number, title, currency, fields }) => {
    const items = fields.map(({ name, mandatory }) => {
      const type = name === 'currency' ? `'${currency}'` : 'string';
      return `${name}${mandatory ? '' : '?'}: ${type}`;
    });
    return ` * ${title}:\n * @phpstan-type Payout${number} array{method: ${number}, ${items.join(', ')}}`;
  });
  const covered = methods.map(
    ({ number, covered: names }) => `        ${number} => [${names.map((name) => `'${name}'`).join(', ')}],`,
  );
  return `<?php

declare(strict_types=1);

namespace PaymentGateway;

/**
 * ${GENERATED}
 *
${shapes.join('\n')}
 * @phpstan-type Payout ${methods.map(({ number }) => `Payout${number}`).join('|')}
 */
final class PayoutMethods
{
    /** The fields that \`sign\` covers, by method. */
    public const COVERED = [
${covered.join('\n')}
    ];
}
`;
}

/** Returns the generated files by path relative to this directory. */
export function generatedTypes(): Readonly<Record<string, string>> {
  const methods = readMethods();
  return {
    'typescript/src/payouts.ts': writeTypeScript(methods),
    'python/payment_gateway/payouts.py': writePython(methods),
    'php/src/PayoutMethods.php': writePhp(methods),
  };
}

if (process.argv[1] === import.meta.filename)
  for (const [path, text] of Object.entries(generatedTypes())) {
    writeFileSync(join(import.meta.dirname, path), text);
    console.log(`wrote sdk/${path}`);
  }
