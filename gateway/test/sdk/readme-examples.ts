/** Runs the programs of sdk/README.md as a merchant would copy them, with an address, an id and keys of the test. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { codeBlocks, ROOT, readPage } from '../docs/pages.ts';

const SDK = join(ROOT, 'sdk');
const OWN_SDK = pathToFileURL(join(SDK, 'typescript/src/payment-gateway.ts')).href;
const FASTIFY = pathToFileURL(join(ROOT, 'node_modules/fastify/fastify.js')).href;
const EXPRESS = pathToFileURL(join(ROOT, 'node_modules/express/index.js')).href;
const PHP_START = `<?php spl_autoload_register(static fn (string $class) => require '${SDK}/php/src/' . str_replace('PaymentGateway\\\\', '', $class) . '.php');`;

interface Language {
  readonly block: string;
  readonly program: string;
  readonly ending: string;
  /** Makes the SDK of this folder the installed one. */
  readonly prepare: (text: string) => string;
  readonly print: string;
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  TypeScript: {
    ...{ block: 'ts', program: process.execPath, ending: 'ts' },
    prepare: (text) => text.replace("'payment-gateway-sdk'", `'${OWN_SDK}'`),
    print: 'console.log(JSON.stringify({ reply, clabe: deposit.clabe, link }));',
  },
  Python: {
    ...{ block: 'python', program: 'python3', ending: 'py' },
    prepare: (text) => text,
    print: 'import json\nprint(json.dumps({"reply": reply, "clabe": deposit["clabe"], "link": link}))',
  },
  PHP: {
    ...{ block: 'php', program: 'php', ending: 'php' },
    prepare: (text) => text.replace('<?php', () => PHP_START),
    print: "echo json_encode(['reply' => $reply, 'clabe' => $deposit['clabe'], 'link' => $link]);",
  },
};

export interface ExampleAccount {
  readonly url: string;
  readonly merchant: string;
  readonly apiKey: string;
  readonly formKey: string;
  readonly payoutId: string;
}

/** Runs the program of the language: it sends a payout, makes a CLABE, and links to the form. */
export async function payByReadme(language: string, account: ExampleAccount): Promise<unknown> {
  const { block, program, ending, prepare, print } = LANGUAGES[language] ?? assert.fail(language);
  const taking = blockOf(block, (each) => /create_?deposit/i.test(each)).replace('<?php', '');
  const text = `${blockOf(block, () => true)}\n${taking}`
    .replace('https://pay.example', account.url)
    .replace(/(['"])M1\1/, `$1${account.merchant}$1`)
    .replace('A17', account.payoutId)
    .replace('N17', `${account.payoutId}-N17`);
  const variables = { API_KEY: account.apiKey, FORM_KEY: account.formKey };
  return run(program, `example.${ending}`, `${prepare(text)}\n${print}\n`, variables);
}

export interface ReceivedBytes {
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

interface Framework {
  readonly block: string;
  readonly marks: RegExp;
  /** The statement that a program has before the example. */
  readonly open: string;
  readonly ask: string;
}

/** How each framework's example answers a request. */
const FRAMEWORKS: Readonly<Record<string, Framework>> = {
  Express: {
    ...{ block: 'js', marks: /express\.raw/, open: `const app: any = express();` },
    ask: `const server = app.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const answer = await fetch('http://127.0.0.1:' + server.address().port + '/callback', { method: 'POST', headers, body });
const [status, text] = [answer.status, await answer.text()];
server.closeAllConnections();
server.close();`,
  },
  Fastify: {
    ...{ block: 'js', marks: /addContentTypeParser/, open: `const app: any = Fastify();` },
    ask: `const { statusCode: status, body: text } = await app.inject({ method: 'POST', url: '/callback', headers, payload: body });`,
  },
  'Next.js': {
    ...{ block: 'ts', marks: /export async function POST/, open: '' },
    ask: `const answer = await POST(new Request('http://shop/callback', { method: 'POST', headers, body }));
const [status, text] = [answer.status, await answer.text()];`,
  },
};

export const FRAMEWORK_NAMES = Object.keys(FRAMEWORKS);

/** Gives the callback to the framework's example, and returns its answer. */
export async function receiveByReadme(framework: string, { body, headers }: ReceivedBytes, apiKey: string) {
  const { block, marks, open, ask } = FRAMEWORKS[framework] ?? assert.fail(framework);
  const text = `import express from '${EXPRESS}';
import Fastify from '${FASTIFY}';
import { verifyCallback } from '${OWN_SDK}';
const apiKey = process.env.API_KEY ?? '';
${open}
const { body, headers } = JSON.parse(process.env.CALLBACK ?? '');
${blockOf(block, (each) => marks.test(each))}
${ask}
console.log(JSON.stringify({ status, text }));
`;
  return run(process.execPath, 'receiver.ts', text, { API_KEY: apiKey, CALLBACK: JSON.stringify({ body, headers }) });
}

/** Runs the example that explains a wrong signature. */
export async function explainByReadme(body: object, apiKey: string): Promise<unknown> {
  const example = blockOf('ts', (each) => each.includes('explainSign(')).replace(
    "'payment-gateway-sdk'",
    `'${OWN_SDK}'`,
  );
  const text = `const { API_KEY: apiKey = '', BODY = '' } = process.env;
const body = JSON.parse(BODY);
${example}
console.log(JSON.stringify({ mistakes, expected }));
`;
  return run(process.execPath, 'explain.ts', text, { API_KEY: apiKey, BODY: JSON.stringify(body) });
}

function blockOf(language: string, isIt: (text: string) => boolean): string {
  const found = codeBlocks(readPage('sdk/README.md')).find((block) => block.language === language && isIt(block.text));
  return found?.text ?? assert.fail(`sdk/README.md has no such ${language} program`);
}

async function run(
  program: string,
  name: string,
  text: string,
  variables: Readonly<Record<string, string>>,
): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'readme-'));
  try {
    await writeFile(join(folder, name), text);
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const env = { ...process.env, PYTHONPATH: join(SDK, 'python'), ...variables };
    const { stdout } = await promisify(execFile)(program, [join(folder, name)], { env });
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  } finally {
    await rm(folder, { recursive: true });
  }
}
