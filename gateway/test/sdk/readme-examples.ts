/** Runs the programs in the SDK READMEs as a merchant would copy them, with the test's ids. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { codeBlocks, ROOT, readPage } from '../../generators/pages.ts';
import { freePort } from '../support/gateway/running-gateway.ts';
import { startProgram } from './recipes.ts';

const SDK = join(ROOT, 'sdk');
const OWN_SDK = pathToFileURL(join(SDK, 'typescript/src/payment-gateway.ts')).href;
const FASTIFY = pathToFileURL(join(ROOT, 'node_modules/fastify/fastify.js')).href;
const EXPRESS = pathToFileURL(join(ROOT, 'node_modules/express/index.js')).href;
interface Language {
  readonly page: string;
  readonly program: string;
  readonly ending: string;
  /** Makes the program use the SDK in this folder. */
  readonly prepare: (text: string) => string;
  readonly print: string;
  readonly receiver: (path: string, port: number) => readonly string[];
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  TypeScript: {
    page: 'typescript',
    program: process.execPath,
    ending: 'ts',
    prepare: (text) => text.replace("'payment-gateway-sdk'", `'${OWN_SDK}'`),
    print: 'console.log(JSON.stringify({ reply, clabe: deposit.clabe, link }));',
    receiver: (path) => [path],
  },
  Python: {
    page: 'python',
    program: 'python3',
    ending: 'py',
    prepare: (text) => text,
    print: 'import json\nprint(json.dumps({"reply": reply, "clabe": deposit["clabe"], "link": link}))',
    receiver: (path) => [path],
  },
  PHP: {
    page: 'php',
    program: 'php',
    ending: 'php',
    prepare: (text) =>
      text.replace("require __DIR__ . '/vendor/autoload.php';", () =>
        blockOf('php', /^spl_autoload_register/).replace("__DIR__ . '/payment-gateway/", `'${SDK}/php/src/`),
      ),
    print: "echo json_encode(['reply' => $reply, 'clabe' => $deposit['clabe'], 'link' => $link]);",
    receiver: (path, port) => ['-S', `127.0.0.1:${port}`, path],
  },
};

interface ExampleAccount {
  readonly url: string;
  readonly merchant: string;
  readonly apiKey: string;
  readonly formKey: string;
  readonly payoutId: string;
}

/** Runs the program in that language: it sends a payout, creates a CLABE and links to the form. */
export async function payByReadme(language: string, account: ExampleAccount): Promise<unknown> {
  const { page, program, ending, prepare, print } = LANGUAGES[language] ?? assert.fail(language);
  const paying = blockOf(page, /send_?payout\(/i);
  const text = `${paying}\n${blockOf(page, /create_?deposit\(/i)}`
    .replace('A17', account.payoutId)
    .replace('N17', `${account.payoutId}-N17`);
  const { url, merchant, apiKey, formKey } = account;
  const variables = { GATEWAY_URL: url, MERCHANT: merchant, API_KEY: apiKey, FORM_KEY: formKey };
  return run(program, `example.${ending}`, `${prepare(text)}\n${print}\n`, variables);
}

/** Passes callbacks to the complete receiver in that language, and returns its responses. */
export async function receiveByReadme(
  language: string,
  callbacks: readonly ReceivedBytes[],
  apiKey: string,
): Promise<readonly string[]> {
  const { page, program, ending, prepare, receiver } = LANGUAGES[language] ?? assert.fail(language);
  const port = await freePort();
  const text = prepare(blockOf(page, /9000|php:\/\/input/)).replace('9000', String(port));
  return withProgram(`receive.${ending}`, text, async (path) => {
    const variables = { API_KEY: apiKey, PYTHONPATH: join(SDK, 'python') };
    const running = await startProgram(program, receiver(path, port), port, variables);
    try {
      const answers: string[] = [];
      for (const { body, headers } of callbacks) {
        const names = Object.keys(headers).filter((name) => /^(?:webhook|content-type)/.test(name));
        const answer = await fetch(`http://127.0.0.1:${port}/callbacks`, {
          method: 'POST',
          body,
          headers: Object.fromEntries(names.map((name) => [name, String(headers[name])])),
        });
        answers.push(`${answer.status} ${await answer.text()}`.trim());
      }
      return answers;
    } finally {
      running.close();
    }
  });
}

interface ReceivedBytes {
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

interface Framework {
  readonly marks: RegExp;
  /** The statement that opens the program around the example. */
  readonly open: string;
  readonly ask: string;
}

/** How each framework's example responds to a request. */
const FRAMEWORKS: Readonly<Record<string, Framework>> = {
  Express: {
    marks: /express\.raw/,
    open: `const app: any = express();`,
    ask: `const server = app.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const answer = await fetch('http://127.0.0.1:' + server.address().port + '/callback', { method: 'POST', headers, body });
const [status, text] = [answer.status, await answer.text()];
server.closeAllConnections();
server.close();`,
  },
  Fastify: {
    marks: /addContentTypeParser/,
    open: `const app: any = Fastify();`,
    ask: `const { statusCode: status, body: text } = await app.inject({ method: 'POST', url: '/callback', headers, payload: body });`,
  },
  'Next.js': {
    marks: /export async function POST/,
    open: '',
    ask: `const answer = await POST(new Request('http://shop/callback', { method: 'POST', headers, body }));
const [status, text] = [answer.status, await answer.text()];`,
  },
};

export const FRAMEWORK_NAMES = Object.keys(FRAMEWORKS);

/** Passes the callback to the framework's example, and returns its response. */
export async function receiveByFramework(framework: string, { body, headers }: ReceivedBytes, apiKey: string) {
  const { marks, open, ask } = FRAMEWORKS[framework] ?? assert.fail(framework);
  const text = `import express from '${EXPRESS}';
import Fastify from '${FASTIFY}';
import { verifyCallback } from '${OWN_SDK}';
const apiKey = process.env.API_KEY ?? '';
${open}
const { body, headers } = JSON.parse(process.env.CALLBACK ?? '');
${blockOf('typescript', marks)}
${ask}
console.log(JSON.stringify({ status, text }));
`;
  return run(process.execPath, 'receiver.ts', text, { API_KEY: apiKey, CALLBACK: JSON.stringify({ body, headers }) });
}

/** Runs the example that explains a wrong signature. */
export async function explainByReadme(body: object, apiKey: string): Promise<unknown> {
  const example = blockOf('typescript', /explainSign\(/).replace("'payment-gateway-sdk'", `'${OWN_SDK}'`);
  const text = `const { API_KEY: apiKey = '', BODY = '' } = process.env;
const body = JSON.parse(BODY);
${example}
console.log(JSON.stringify({ mistakes, expected }));
`;
  return run(process.execPath, 'explain.ts', text, { API_KEY: apiKey, BODY: JSON.stringify(body) });
}

/** Returns the first program of the README that matches `mark`. */
function blockOf(page: string, mark: RegExp): string {
  const found = codeBlocks(readPage(`sdk/${page}/README.md`)).find(({ text }) => mark.test(text));
  return found?.text ?? assert.fail(`sdk/${page}/README.md has no program with ${mark}`);
}

async function run(
  program: string,
  name: string,
  text: string,
  variables: Readonly<Record<string, string>>,
): Promise<unknown> {
  return withProgram(name, text, async (path) => {
    const env = { ...process.env, PYTHONPATH: join(SDK, 'python'), ...variables };
    const { stdout } = await promisify(execFile)(program, [path], { env });
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  });
}

/** Each program of a merchant is in a separate folder. */
async function withProgram<T>(name: string, text: string, use: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'readme-'));
  try {
    await writeFile(join(folder, name), text);
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    return await use(join(folder, name));
  } finally {
    await rm(folder, { recursive: true });
  }
}
