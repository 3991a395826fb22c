/** Everything that the pages mention must exist: links, files, commands, settings, variables, metrics and scripts. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, test } from 'node:test';
import { allPages, codeBlocks, commandsOf, type Page, proseOf, ROOT, readPage } from '../../generators/pages.ts';
import { readCommands, readGlobalOptions, usageFaultOf } from '../../generators/tables/command-line.ts';
import { GENERATED_TABLES, generatedTablesOf, withFreshTables } from '../../generators/tables/generated-tables.ts';
import { MERCHANT_SETTINGS, readMerchantSettings } from '../../src/domain/merchants/merchant-settings.ts';
import { VARIABLES } from '../../src/main/config/config.ts';
import { readSourceFiles } from '../tidy/source-files.ts';

const pages = allPages();
const commands = await readCommands();
const globalOptions = await readGlobalOptions();

/** Fails with one line per fault. */
function assertNone(faults: readonly string[]): void {
  assert.deepEqual(faults, []);
}

function faultsOf(find: (page: Page) => readonly string[]): string[] {
  return pages.flatMap((page) => find(page).map((fault) => `${page.path}: ${fault}`));
}

/** Returns the anchors that GitHub derives from the headings. */
function anchorsOf({ text }: Page): Set<string> {
  const headings = text.replace(/^```.*?^```$/gms, '').matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function brokenLinks(page: Page): string[] {
  const links = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => {
    if (/^https?:/.test(link)) return false;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page.path : posix.join(dirname(page.path), path);
    if (!existsSync(join(ROOT, target))) return true;
    return anchor !== undefined && !anchorsOf(readPage(target)).has(anchor);
  });
}

/** Returns all text in code format, both blocks and inline. */
function codeOf(page: Page): string[] {
  const inline = [...proseOf(page).matchAll(/`([^`]+)`/g)].map(([, text = '']) => text.replaceAll('\n', ' '));
  const lines = codeBlocks(page)
    .filter(({ language }) => language === 'sh' || language === '')
    .flatMap(({ text }) => text.replaceAll('\\\n', ' ').split('\n'));
  return [...inline, ...lines];
}

const FILE = /^(?:gateway|rail-simulators|demo|openapi|docs|sdk)\/[\w./-]+$/;

function missingFiles(page: Page): string[] {
  return codeOf(page).filter((text) => FILE.test(text) && !existsSync(join(ROOT, text)));
}

/** Returns the faults of one `gateway …` command on a page. */
function commandFault(text: string): string[] {
  const [, written = ''] = /(?:^|[\s$(`])(?:npx )?gateway ((?:[a-z]|--help).*)$/.exec(text) ?? [];
  if (written === '' || written.startsWith('--help')) return [];
  const words = written.split(/\s+/);
  const command = commands
    .filter(({ name }) => `${words.join(' ')} `.startsWith(`${name} `))
    .sort((left, right) => right.name.length - left.name.length)[0];
  if (!command) {
    const isGroup = words.length === 1 && commands.some(({ name }) => name.startsWith(`${words[0]} `));
    return isGroup || words[1] === '…' ? [] : [`there is no command "gateway ${written}"`];
  }
  const options = written.match(/(?<=\s)--[a-z][a-z-]*/g) ?? [];
  return options
    .filter(
      (option) => ![...command.options, ...globalOptions].some(({ flags }) => flags.split(/[ ,]+/).includes(option)),
    )
    .map((option) => `gateway ${command.name} has no ${option}`);
}

const A_COMMAND_IS_MEANT = /(?:^|[$(] ?)(?:npx )?gateway [a-z]/;

function wrongCommands(page: Page): string[] {
  return codeOf(page)
    .filter((text) => A_COMMAND_IS_MEANT.test(text.trim()))
    .flatMap((text) => commandFault(text.trim().replace(/[)|>].*$/, '')));
}

function wrongSettings(page: Page): string[] {
  const given = [...page.text.matchAll(/--set ([a-z_]+(?:\.\d+\.[A-Z]{3})?)=([^\s`"]+)/g)];
  return given.flatMap(([, name = '', value = '']) => {
    if (value === '…') return Object.hasOwn(MERCHANT_SETTINGS, name) ? [] : [`there is no setting ${name}`];
    const read = name === 'name' ? { ok: true as const } : readMerchantSettings({ [name]: value.replace(/…$/, '') });
    return read.ok ? [] : [read.error];
  });
}

/** The variables of the shell and of the example programs. */
const OTHER_VARIABLES = new Set([
  // Compose's host names, and the pattern for variables whose values are in files.
  'GATEWAY_HOST',
  'MANAGE_HOST',
  'NAME_FILE',
  // Used by a full test: the programs of a PostgreSQL with Citus.
  'CITUS_PROGRAMS',
  'KEY',
  'LC_ALL',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'MERCHANT_KEY',
  'API_KEY',
  'FORM_KEY',
  'GATEWAY_URL',
  'SCHEMATHESIS_HOOKS',
  'CALLBACK_ID',
  'PAYOUT_ID',
  'JSON_UNESCAPED_SLASHES',
  'JSON_UNESCAPED_UNICODE',
  'SEPA_INSTANT',
  'P2P_CREDIT',
  'P2P_ACCOUNT',
  'CHECK_STATUS',
  'TRANSACTION_LIST',
  'CARD_NUMBER',
  'BAD_REQUEST_ERROR',
  'SERVER_ERROR',
  'DESTINATION_AMOUNT',
]);

function unknownVariables(page: Page): string[] {
  const settings = globSync('rail-simulators/src/*/simulator.ts', { cwd: ROOT });
  const others = ['demo/src/demo-settings.ts', ...settings]
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .join();
  const named = codeOf(page).flatMap((text) => text.match(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g) ?? []);
  // Each variable has a second name with the suffix _FILE, for the path of a file with its value.
  const isVariable = (name: string) => [name, name.replace(/_FILE$/, '')].some((own) => Object.hasOwn(VARIABLES, own));
  return named.filter((name) => !isVariable(name) && !others.includes(name) && !OTHER_VARIABLES.has(name));
}

const DOCS = 'gateway/test/docs';
const CLI = 'gateway/test/manage/command-line.test.ts';
const WORLD = 'sandbox/test/month.test.ts';
const NEWCOMER = 'sandbox/test/newcomer.full.test.ts';
const SDK = 'gateway/test/sdk/readme-examples.ts';

/** The test file that runs each code block of the merchant pages and the SDK READMEs, in the order of the blocks. */
const EXECUTED_BY: Readonly<Record<string, readonly (readonly [language: string, file: string])[]>> = {
  'docs/merchant/bank-list.md': blocks('sh json sh sh', `${DOCS}/wires-openapi.test.ts`),
  'docs/merchant/callbacks.md': blocks('js python json json', `${DOCS}/callback-receivers.test.ts`),
  'docs/merchant/conform.md': blocks('sh sh sh sh', CLI),
  'docs/merchant/host-to-host.md': blocks('json sh js python php go java sh', `${DOCS}/merchant-examples.test.ts`),
  'docs/merchant/hosted-form.md': [
    ...blocks('sh', `${DOCS}/merchant-examples.test.ts`),
    ...blocks('html', 'gateway/test/browser/page-server.ts'),
  ],
  'docs/merchant/payouts.md': blocks('json json', `${DOCS}/merchant-examples.test.ts`),
  'docs/merchant/sandbox.md': [...blocks('sh', NEWCOMER), ...blocks('sh sh', WORLD)],
  'docs/merchant/signatures.md': blocks('json sh js python php go java', `${DOCS}/signature-examples.test.ts`),
  'docs/merchant/statements.md': blocks('sh sh', CLI),
  'docs/merchant/status-balance-list.md': blocks('sh json sh json sh json', `${DOCS}/merchant-examples.test.ts`),
  'sdk/php/README.md': [
    ...blocks('sh', NEWCOMER),
    ...blocks('php', SDK),
    ...blocks('sh', NEWCOMER),
    ...blocks('php php php', SDK),
    ...blocks('sh', WORLD),
  ],
  'sdk/python/README.md': [
    ...blocks('sh sh', NEWCOMER),
    ...blocks('python python python', SDK),
    ...blocks('sh', WORLD),
  ],
  'sdk/typescript/README.md': [
    ...blocks('sh sh', NEWCOMER),
    ...blocks('ts ts js', SDK),
    ...blocks('sh', WORLD),
    ...blocks('js js ts ts', SDK),
  ],
};

function blocks(languages: string, file: string): (readonly [string, string])[] {
  return languages.split(' ').map((language) => [language, file]);
}

/** The placeholders that the reader replaces and the command line validates. */
const PLACEHOLDERS: Readonly<Record<string, string>> = { TRANSFER: 'stp/2026', DATE: '2026-11-20' };

const DATABASE_ROLES = ['gateway_backup', 'gateway_app', 'gateway_owner', 'gateway_serve'];

describe('the pages of the docs', () => {
  test('every link of the pages has a target', () => assertNone(faultsOf(brokenLinks)));

  test('every file that the pages mention exists', () => assertNone(faultsOf(missingFiles)));

  test('every breakpoint of the debugger’s walkthrough exists in its file', () => {
    const rows = readPage('docs/architecture/follow-one-payout.md').text.matchAll(/^\| \d \| `([^`]+)` \| (.+?) \|/gm);
    const stops = [...rows].map(([, file = '', stop = '']) => ({
      file,
      parts: [...stop.matchAll(/`([^`]+)`/g)].map(([, part = '']) => part),
    }));
    assert.equal(stops.length, 9);
    assertNone(
      stops.flatMap(({ file, parts }) => {
        const source = readFileSync(join(ROOT, file), 'utf8');
        return parts.filter((part) => !source.includes(part)).map((part) => `${file}: ${part}`);
      }),
    );
  });

  test('every command and option that the pages mention exists', () => assertNone(faultsOf(wrongCommands)));

  test('the command line understands every command in the shell blocks of the pages', async () => {
    const faults: string[] = [];
    for (const page of pages) {
      for (const words of commandsOf(page)) {
        const fault = await usageFaultOf(words.map((word) => PLACEHOLDERS[word] ?? word));
        if (fault !== '') faults.push(`${page.path}: gateway ${words.join(' ')}: ${fault}`);
      }
    }
    assertNone(faults);
  });

  test('a test executes every code block of the merchants’ pages and of the SDKs', () => {
    const shown = pages
      .filter(({ path }) => /^(?:docs\/merchant|sdk)\//.test(path))
      .map(
        (page) => [page.path, codeBlocks(page).flatMap(({ language }) => (language === '' ? [] : [language]))] as const,
      )
      .filter(([, languages]) => languages.length > 0);
    const executed = Object.entries(EXECUTED_BY).map(([path, rows]) => [path, rows.map(([language]) => language)]);
    assert.deepEqual(shown, executed);
    for (const [path, rows] of Object.entries(EXECUTED_BY)) {
      const name = path.startsWith('sdk/') ? 'README.md' : path;
      for (const [, file] of rows) assert.ok(readPage(file).text.includes(name), `${file} does not read ${path}`);
    }
  });

  test('every setting on the pages exists and has an accepted value', () => assertNone(faultsOf(wrongSettings)));

  test('every environment variable that the pages mention exists', () => assertNone(faultsOf(unknownVariables)));

  test('every metric that the pages mention exists', () => {
    const metrics = GENERATED_TABLES['metrics']?.() ?? '';
    const isKnown = (name: string) => metrics.includes(`\`${name}\``) || DATABASE_ROLES.includes(name);
    assertNone(faultsOf(({ text }) => (text.match(/\bgateway_[a-z_]+\b/g) ?? []).filter((name) => !isKnown(name))));
  });

  test('every npm script that the pages mention exists', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const named = (page: Page) => [...page.text.matchAll(/npm run ([a-z:]+)/g)].map(([, name = '']) => name);
    assertNone(faultsOf((page) => named(page).filter((name) => !Object.hasOwn(scripts, name))));
  });

  test('the generated tables of the pages are current (npx node gateway/generators/tables/write-tables.ts writes them)', () => {
    assertNone(pages.filter((page) => withFreshTables(page) !== page.text).map(({ path }) => path));
  });

  test('each generated table is on a page', () => {
    const shown = new Set(pages.flatMap(generatedTablesOf));
    assertNone(Object.keys(GENERATED_TABLES).filter((name) => !shown.has(name)));
  });

  test('no page of the docs contains a path of a developer’s machine', () => {
    assertNone(faultsOf(({ text }) => text.match(/(?<![\w.])\/(?:home|root|tmp|work|Users|mnt)\b[\w/.-]*/g) ?? []));
  });
});

test('the index lists every decision, and their numbers have no gaps', () => {
  const index = readPage('docs/decisions/README.md').text;
  const records = pages.filter(({ path }) => /^docs\/decisions\/\d/.test(path));
  for (const [at, { path, text }] of records.entries()) {
    const number = at + 1;
    assert.ok(path.startsWith(`docs/decisions/${String(number).padStart(4, '0')}-`), path);
    assert.ok(text.startsWith(`# ${number}. `), path);
    const [, state = ''] = /^State: (.+)\.$/m.exec(text) ?? [];
    assert.match(
      state,
      /^(?:in force since \d{4}-\d\d-\d\d\b|decided on \d{4}-\d\d-\d\d\b|replaced by decision \d+$)/,
      path,
    );
    const row = index.split('\n').find((line) => line.includes(`](${path.replace('docs/decisions/', '')})`));
    assert.ok(row, `${path} is missing in the index`);
    const shown = row.split('|')[3]?.trim();
    assert.equal(shown, state.replace('in force since ', ''), `the index and ${path} disagree about its state`);
    for (const part of ['Code', 'Gap', 'Decision', 'Reason', 'Consequence'])
      assert.ok(text.includes(`**${part}.**`), `${path} has no ${part}`);
  }
});

test('every decision that a comment cites exists and is cited as "decision 8"', () => {
  const numbers = new Set(pages.map(({ path }) => Number(/^docs\/decisions\/(\d+)-/.exec(path)?.[1] ?? Number.NaN)));
  const cites = /\bdecisions? (?:record )?\d+(?:(?:, | and )\d+)*/gi;
  const faults = readSourceFiles(ROOT).flatMap(({ path, text }) => {
    const comments = (text.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm) ?? []).map((comment) =>
      comment.replace(/\s*\n\s*\*\s*/g, ' '),
    );
    const other = comments.flatMap(
      (comment) => comment.match(/\(decisions?[,:].*?\)|decision record \d+|docs\/decisions\/\d+/g) ?? [],
    );
    const cited = comments.flatMap((comment) =>
      (comment.match(cites) ?? []).flatMap((cite) => cite.match(/\d+/g) ?? []),
    );
    return [...other, ...cited.filter((number) => !numbers.has(Number(number)))].map((fault) => `${path}: ${fault}`);
  });
  assertNone(faults);
});
