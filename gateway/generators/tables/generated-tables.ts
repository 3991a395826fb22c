/**
 * Generates tables in the docs from tables in the code. In a page, each is between `<!-- generated: name -->` and `<!-- end
 * generated -->`. write-tables.ts writes them into the pages; a test fails if one is stale.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { BASE_PATH, type Endpoint, permissionsOf } from '../../contract/parts/endpoint.ts';
import { PERMISSIONS } from '../../contract/permissions.ts';
import { RETRY_OFFSETS_MS } from '../../src/domain/callbacks/plan-delivery.ts';
import { SETTING_DESCRIPTIONS } from '../../src/domain/merchants/describe-settings.ts';
import { PAYOUT_RESULTS } from '../../src/domain/payouts/payout.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/foundation/clock.ts';
import { VARIABLES } from '../../src/main/config/config.ts';
import { ALERTS } from '../../src/main/observability/alert-kinds.ts';
import { LOG_EVENTS } from '../../src/main/observability/log-events.ts';
import { PRODUCTION_RULES } from '../../src/main/production/production-rules.ts';
import { DEPOSIT_REJECTION_ANSWERS } from '../../src/protocol/host2host/rejection-answers.ts';
import type { RejectionAnswer, RejectionAnswers } from '../../src/protocol/http/rejection-answer.ts';
import { PROBLEMS } from '../../src/protocol/manage/problems.ts';
import { type MethodField, PAYOUT_METHODS, type PayoutMethod } from '../../src/protocol/payout/method-table.ts';
import { REJECTION_ANSWERS } from '../../src/protocol/payout/rejection-answers.ts';
import { FORMAT_SCHEMAS } from '../../src/protocol/reference/format-schemas.ts';
import { INVARIANTS } from '../../src/storage/invariants/verify-invariants.ts';
import { METRICS } from '../observability/metrics-list.ts';
import { type Page, ROOT } from '../pages.ts';
import { readCommands } from './command-line.ts';
import { declineRows } from './decline-codes-table.ts';
import { DEPOSIT_REFUSAL_MEANINGS, ERROR_TABLES, REFUSAL_MEANINGS } from './error-index-tables.ts';
import { carrierRows, payoutRailRows } from './payout-rails-table.ts';
import { ROLE_TABLES } from './roles-table.ts';
import { testCardRows } from './test-cards-table.ts';
import { twoPeopleRows } from './two-people-table.ts';

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

const code = (text: string) => (text === '' ? '' : `\`${text}\``);

const COMMON_FIELDS = ['account', 'amount', 'currency'];

/** Returns the fields of a method without the common fields, which the page lists above the table. */
function ownFields({ fields }: PayoutMethod): MethodField[] {
  return fields.filter(({ name }) => !COMMON_FIELDS.includes(name));
}

function methodsTable(): string {
  const rows = PAYOUT_METHODS.map((method) => {
    const account = method.fields.find(({ name }) => name === 'account');
    const list = (mandatory: boolean) =>
      ownFields(method)
        .filter((one) => one.mandatory === mandatory)
        .map(({ name }) => code(name))
        .join(', ');
    const format = account ? FORMAT_SCHEMAS[account.format].accepts : '';
    return [String(method.number), method.name, method.currency, format, list(true) || '–', list(false) || '–'];
  });
  return table(['`method`', 'name', '`currency`', '`account`', 'also mandatory', 'optional'], rows);
}

const CHARACTERS_SHOWN_BELOW = 255;

function fieldsTable(): string {
  const uses = new Map<string, { field: MethodField; methods: number[]; signedBy: number[] }>();
  for (const method of PAYOUT_METHODS) {
    for (const field of ownFields(method)) {
      const key = `${field.name}/${field.format}/${field.maxLength}`;
      const use = uses.get(key) ?? { field, methods: [], signedBy: [] };
      use.methods.push(method.number);
      if (method.signed.mandatory.includes(field.name)) use.signedBy.push(method.number);
      uses.set(key, use);
    }
  }
  const rows = [...uses.values()]
    .sort((left, right) => (left.field.name < right.field.name ? -1 : 1))
    .map(({ field, methods, signedBy }) => {
      const most = field.maxLength < CHARACTERS_SHOWN_BELOW ? `; at most ${field.maxLength} characters` : '';
      const kept = field.secret ? 'sealed' : 'as sent';
      const signed = signedBy.length === methods.length ? 'yes' : signedBy.join(', ') || 'no';
      return [code(field.name), methods.join(', '), `${FORMAT_SCHEMAS[field.format].accepts}${most}`, signed, kept];
    });
  return table(['field', 'methods', 'accepted', 'signed', 'kept'], rows);
}

function codesTable(): string {
  const rows = PAYOUT_RESULTS.map(({ status, code: number, text }) => [code(status), code(number), text]);
  return table(['`status`', '`code`', '`description`'], rows);
}

function refusalsTable<Kind extends string>(
  answers: RejectionAnswers<Kind>,
  meanings: Readonly<Record<NoInfer<Kind>, string>>,
): string {
  const rows = Object.entries<RejectionAnswer>(answers).map(([kind, { text, strictStatus }]) => [
    code(text),
    meanings[kind as Kind],
    String(strictStatus),
  ]);
  return table(['`description`', 'meaning', 'HTTP, where `strict_http_codes` is on'], rows);
}

function retriesTable(): string {
  const rows = RETRY_OFFSETS_MS.map((offset, index) => [String(index + 1), offsetText(offset)]);
  return table(['attempt', 'after the first'], rows);
}

function offsetText(offsetMs: number): string {
  if (offsetMs === 0) return 'immediately';
  return offsetMs < HOUR_MS ? `${offsetMs / MINUTE_MS} min` : `${offsetMs / HOUR_MS} h`;
}

function settingsTable(): string {
  const rows = SETTING_DESCRIPTIONS.filter(({ scope }) => scope === 'merchant').map((setting) => {
    const fallback = setting.default === '' ? 'empty' : (setting.default ?? 'unset');
    return [code(setting.name), fallback, setting.accepts, setting.meaning, changedBy(setting)];
  });
  return table(['setting', 'default', 'accepts', 'meaning', 'changed by'], rows);
}

function changedBy({ isMerchants }: { readonly isMerchants: boolean }): string {
  return isMerchants ? 'you, operator' : 'operator';
}

function repeatedSettingsTable(scope: 'method' | 'currency', suffix: string): string {
  const rows = SETTING_DESCRIPTIONS.filter((setting) => setting.scope === scope);
  return table(
    ['setting', 'accepts', 'meaning', 'changed by'],
    rows.map((each) => [code(`${each.name}.${suffix}`), each.accepts, each.meaning, changedBy(each)]),
  );
}

const VECTOR_KEYS = { api: 'API key', form: 'form key', none: 'empty' } as const;

function vectorsTable(): string {
  const file = join(ROOT, 'openapi/vectors/signatures.json');
  const { md5_sign: vectors } = JSON.parse(readFileSync(file, 'utf8')) as {
    md5_sign: readonly { name: string; purpose: keyof typeof VECTOR_KEYS; joined: string; sign: string }[];
  };
  return table(
    ['signed text', 'key', 'joined text', '`sign`'],
    vectors.map(({ name, purpose, joined, sign }) => [name, VECTOR_KEYS[purpose], code(joined), code(sign)]),
  );
}

function invariantsTable(): string {
  return table(
    ['name', 'what must hold'],
    INVARIANTS.map(({ name, meaning }) => [code(name), meaning]),
  );
}

function variablesTable(): string {
  const rows = Object.entries(VARIABLES).map(([name, variable]) => {
    const fallback: string | null | Readonly<Record<string, string | null>> = variable.default;
    const shown =
      fallback === null
        ? 'unset'
        : typeof fallback === 'string'
          ? code(fallback)
          : Object.entries(fallback)
              .map(([environment, text]) => `${environment}: ${text === null ? 'unset' : code(text)}`)
              .join('; ');
    return [code(name), shown, variable.accepts, variable.meaning];
  });
  return table(['variable', 'default', 'accepts', 'meaning'], rows);
}

function productionRulesTable(): string {
  return table(
    ['rule', 'production refuses', 'because', 'override'],
    PRODUCTION_RULES.map(({ name, refuses, why, override }) => [code(name), refuses, why, code(override)]),
  );
}

function metricsTable(): string {
  return table(
    ['metric', 'type', 'meaning'],
    METRICS.map(({ name, type, meaning }) => [code(name), type, meaning]),
  );
}

function alertsTable(): string {
  return table(
    ['alert', 'severity', 'meaning'],
    Object.entries(ALERTS).map(([kind, { severity, runbook, text }]) => [
      `[${code(kind)}](runbooks.md#${runbook})`,
      severity,
      text,
    ]),
  );
}

function logEventsTable(): string {
  return table(
    ['event', 'level', 'meaning', 'fields'],
    Object.entries(LOG_EVENTS).map(([event, { level, meaning, fields }]) => [
      code(event),
      level,
      meaning,
      Object.keys(fields).map(code).join(', '),
    ]),
  );
}

const commands = await readCommands();
/** Shown once above the table, because every command except `serve` has them. */
const COMMON_OPTIONS = ['--json', '-h, --help'];

/** Returns one section per group of commands, in the order of the help. Commands without a group share the first section. */
function commandSections(): string {
  const groups = Map.groupBy(commands, ({ name }) => (name.includes(' ') ? (name.split(' ', 1)[0] ?? '') : ''));
  const sections = [...groups].sort(([one], [other]) => Number(one !== '') - Number(other !== ''));
  return sections
    .flatMap(([group, members]) => [
      `### ${group === '' ? 'Commands of one word' : code(group)}`,
      ...members.map(commandText),
    ])
    .join('\n\n');
}

function commandText({ name, parameters, summary, options }: (typeof commands)[number]): string {
  const own = options.filter(({ flags }) => !COMMON_OPTIONS.includes(flags));
  const list = own.map(({ flags, meaning }) => `- ${code(flags)}: ${meaning}`).join('\n');
  return [`${code(`${name} ${parameters}`.trim())}: ${summary}.`, ...(list === '' ? [] : [list])].join('\n\n');
}

const CALLERS: Readonly<Record<Endpoint['audience'], string>> = {
  own: 'operator, merchant',
  operator: 'operator',
  person: 'signed-in user',
  anyone: 'anyone',
};

function endpointsTable(): string {
  const rows = Object.entries<Endpoint>(ENDPOINTS).map(([name, endpoint]) => [
    code(name),
    code(`${endpoint.method} ${BASE_PATH}${endpoint.path}`),
    endpoint.summary,
    permissionsOf(endpoint).map(code).join(' or '),
    CALLERS[endpoint.audience],
    code(endpoint.command ?? ''),
  ]);
  return table(['name in the audit log', 'endpoint', 'what it does', 'permission', 'callers', 'command'], rows);
}

const payoutRails = await payoutRailRows();
const carriers = await carrierRows();

function payoutRailsTable(): string {
  const ours = ['rail', 'methods', 'call timeout', 'queried after', '"not found" is proof after', 'concurrency'];
  return table([...ours, 'notifies', 'lists', 'shows balance'], payoutRails);
}

function declineCodesTable(): string {
  const rows = declineRows().map(([rail, ours, said]) => [`[${code(rail)}](#${rail})`, ours, said]);
  return table(['rail', 'our code', 'the provider’s reason'], rows);
}

export const GENERATED_TABLES: Readonly<Record<string, () => string>> = {
  methods: methodsTable,
  fields: fieldsTable,
  codes: codesTable,
  refusals: () => refusalsTable(REJECTION_ANSWERS, REFUSAL_MEANINGS),
  'deposit refusals': () => refusalsTable(DEPOSIT_REJECTION_ANSWERS, DEPOSIT_REFUSAL_MEANINGS),
  retries: retriesTable,
  settings: settingsTable,
  'per-method settings': () => repeatedSettingsTable('method', 'METHOD.CUR'),
  'per-currency settings': () => repeatedSettingsTable('currency', 'CUR'),
  vectors: vectorsTable,
  invariants: invariantsTable,
  variables: variablesTable,
  'production rules': productionRulesTable,
  metrics: metricsTable,
  alerts: alertsTable,
  'log events': logEventsTable,
  commands: commandSections,
  'payout rails': payoutRailsTable,
  carriers: () =>
    table(
      ['method', 'mandatory fields', 'rails in their default order, and the additional requirements of each'],
      carriers,
    ),
  'decline codes': declineCodesTable,
  problems: () =>
    table(
      ['code', 'status', 'meaning'],
      Object.entries(PROBLEMS).map(([name, { status, title }]) => [code(name), String(status), title]),
    ),
  endpoints: endpointsTable,
  'two people': () => table(['action', 'endpoint', 'changes', 'a policy can name', 'waits as'], twoPeopleRows()),
  permissions: () =>
    table(
      ['permission', 'allows to'],
      Object.entries(PERMISSIONS).map(([name, meaning]) => [code(name), meaning]),
    ),
  ...ROLE_TABLES,
  ...ERROR_TABLES,
  'test cards': () => table(['number', 'the payer sees', 'callback'], testCardRows()),
};

const BLOCK = /<!-- generated: (.+?) -->\n.*?<!-- end generated -->/gs;

/** Returns the page with every generated table up to date. Throws for an unknown table. */
export function withFreshTables({ path, text }: Page): string {
  return text.replace(BLOCK, (_block, name: string) => {
    const generate = GENERATED_TABLES[name];
    if (!generate) throw new Error(`${path} names an unknown generated table "${name}"`);
    return `<!-- generated: ${name} -->\n${generate()}\n<!-- end generated -->`;
  });
}

export function generatedTablesOf({ text }: Page): string[] {
  return [...text.matchAll(BLOCK)].map(([, name = '']) => name);
}
