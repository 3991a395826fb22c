/** `gateway reconcile`, `gateway difference …`: what a provider says against the ledger. */
import type { Command } from 'commander';
import type { AnsweredPayout } from '../../domain/payouts/ask-named-payouts.ts';
import { DIFFERENCE_KINDS, type Difference, type DifferenceKind } from '../../domain/payouts/compare-statement.ts';
import type { ReconciledDay } from '../../domain/payouts/reconcile-payouts.ts';
import type { KeptDifference } from '../../domain/payouts/reconciliation-store.ts';
import { formatAmount } from '../../foundation/money.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../command-context.ts';
import { CommandFailure, formatCsv, formatTable, humanTime, jsonTime } from '../command-output.ts';
import { readDay, readOneOf } from '../read-arguments.ts';
import { readPayoutListFile } from '../read-payout-list.ts';
import { differenceFailure } from '../refusals.ts';

const COLUMNS = ['kind', 'subject', 'merchant', 'payout_id', 'ours', 'theirs'] as const;

const LISTED = { list: 'listed', asking: 'asked about' } as const;
const SETTLED = { list: 'waited here and ended with it', asking: 'changed with it' } as const;
/** Kinds of differences that can't be found so. */
const NOT_SEEN: Readonly<Record<ReconciledDay['by'], readonly DifferenceKind[]>> = {
  list: [],
  asking: ['missing_here', 'duplicate'],
};
const ASKED_NOTE = [
  'Not compared: payouts that only the provider has, and payments that it made twice. It has no list to find them on.',
  'Compare its own report, or ask about payouts that a merchant names: gateway reconcile RAIL --payouts FILE',
].join('\n');

/** A day without a list is never wholly compared. */
const SAME_SIGN = { list: '✓', asking: '~' } as const;

interface ReconcileOptions {
  readonly csv?: boolean;
  readonly payouts?: string;
}

export function addReconciliationCommands(program: Command, context: CommandContext): void {
  addCommand(
    program,
    'reconcile',
    'compare what a provider says of a day with the ledger; exit code 1 when they differ',
  )
    .argument('<rail>', 'its name')
    .argument('[date]', 'the day as the provider counts it, such as 2026-11-20', readDay)
    .option('--csv', 'print the differences as CSV')
    .option(
      '--payouts <file>',
      'ask about these payouts instead: a line each with merchant, payout id, amount, currency',
    )
    .action(
      actionOf(context, async (open, rail: string, day: string | undefined, options: ReconcileOptions) => {
        const { csv = false, payouts } = options;
        if (payouts !== undefined && day === undefined) return askAbout(open, rail, payouts);
        if (payouts !== undefined || day === undefined) throw new CommandFailure('Give a date, or --payouts FILE.');
        const { reconciliation } = await open();
        const found = await reconciliation.run(rail, day);
        if (!found) {
          const known = reconciliation.rails.join(', ') || 'none';
          throw new CommandFailure(`There is nothing of "${rail}" to compare with (there is of: ${known})`);
        }
        return {
          json: dayJson(found),
          human: csv ? formatCsv(COLUMNS, found.differences.map(cellsOf)) : dayText(found),
          exitCode: found.differences.length === 0 ? 0 : 1,
        };
      }),
    );
  addDifferenceCommands(program, context);
}

const ANSWER_COLUMNS = ['merchant', 'payout_id', 'reference', 'ours', 'theirs', 'comparison'] as const;

async function askAbout(open: Parameters<Parameters<typeof actionOf>[1]>[0], rail: string, path: string) {
  const named = await readPayoutListFile(path);
  const { reconciliation } = await open();
  const answers = await reconciliation.ask(rail, named);
  if (!answers) throw new CommandFailure(`No rail "${rail}" carries payouts here.`);
  const count = (comparison: AnsweredPayout['comparison']) =>
    answers.filter((each) => each.comparison === comparison).length;
  const [same, differ, unanswered] = [count('same'), count('differs'), count('not_compared')];
  const isClean = same === answers.length;
  const head = `${rail}: asked about ${answers.length}: ${same} as here, ${differ} differ, ${unanswered} not compared.`;
  const header = ANSWER_COLUMNS.map((name) => name.toUpperCase());
  const rows = answers.map(answerCells);
  return {
    json: { rail, same, differ, not_compared: unanswered, payouts: answers.map(answerJson) },
    human: `${isClean ? '✓' : '✗'} ${head}\n${formatTable(header, rows, '')}`,
    exitCode: isClean ? 0 : 1,
  } as const;
}

function answerCells({ merchantId, payoutId, reference, ours, theirs, comparison }: AnsweredPayout): string[] {
  return [merchantId, payoutId, reference, ours, theirs, comparison.replace('_', ' ')];
}

function answerJson({ merchantId, payoutId, money, reference, ours, theirs, comparison }: AnsweredPayout) {
  const { currency } = money;
  const amount = formatAmount(money);
  return { merchant: merchantId, payout_id: payoutId, amount, currency, reference, ours, theirs, comparison };
}

interface ListOptions {
  readonly rail?: string;
  readonly day?: string;
  readonly all?: boolean;
}

function addDifferenceCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'difference', 'where providers and the ledger disagree');
  addCommand(group, 'list', 'those that nobody has resolved')
    .option('--rail <rail>', 'of one rail')
    .option('--day <date>', 'of one day', readDay)
    .option('--all', 'with those that are resolved')
    .action(
      actionOf(context, async (open, { rail, day, all = false }: ListOptions) => {
        const { reconciliation } = await open();
        const kept = await reconciliation.differences({ rail: rail ?? null, day: day ?? null, openOnly: !all });
        return { json: kept.map(keptJson), human: keptTable(kept) };
      }),
    );
  addCommand(group, 'resolve', 'record what a difference was; it moves no money')
    .argument('<rail>', 'its name')
    .argument('<date>', 'its day', readDay)
    .argument('<kind>', DIFFERENCE_KINDS.join(', '), readOneOf(DIFFERENCE_KINDS))
    .argument('<subject>', 'as “difference list” prints it')
    .requiredOption('--by <name>', 'who looked at it')
    .requiredOption('--note <text>', 'what it was, and what was done')
    .action(actionOf(context, (open, ...values: ResolveArguments) => resolve(open, ...values)));
}

type ResolveArguments = [
  rail: string,
  day: string,
  kind: DifferenceKind,
  subject: string,
  options: { readonly by: string; readonly note: string },
];

async function resolve(open: Parameters<Parameters<typeof actionOf>[1]>[0], ...values: ResolveArguments) {
  const [rail, day, kind, subject, { by, note }] = values;
  const { reconciliation } = await open();
  const resolved = await reconciliation.resolve({ rail, day, kind, subject }, by, note);
  if (!resolved.ok) throw differenceFailure(resolved.error);
  return { json: { rail, day, kind, subject, resolved: true }, human: '✓ The difference is resolved.' };
}

function dayJson({ reconciliation, differences, by, waiting }: ReconciledDay) {
  const { runAt, ...counts } = reconciliation;
  return {
    ...counts,
    by,
    not_seen: NOT_SEEN[by],
    waiting_not_compared: waiting,
    run_at: jsonTime(runAt),
    differences: differences.map(differenceJson),
  };
}

function dayText({ reconciliation, differences, by, waiting }: ReconciledDay): string {
  const { rail, day, listed, matched, settled } = reconciliation;
  const ended = settled > 0 ? `, ${settled} ${SETTLED[by]}` : '';
  const head = `${rail}, ${day}: ${listed} ${LISTED[by]}, ${matched} as in the ledger${ended}, ${differences.length} differ.`;
  const rows = differences.map(cellsOf);
  const header = COLUMNS.map((name) => name.toUpperCase());
  const report = rows.length === 0 ? `${SAME_SIGN[by]} ${head}` : `✗ ${head}\n${formatTable(header, rows, '')}`;
  return by === 'list' ? report : [report, ...waitingNote(rail, waiting), ASKED_NOTE].join('\n');
}

function waitingNote(rail: string, waiting: number): string[] {
  if (waiting === 0) return [];
  return [`Not compared: ${waiting} payouts that wait here. gateway payout list --rail ${rail} --state pending`];
}

function differenceJson({ kind, subject, merchantId, payoutId, ours, theirs }: Difference) {
  return { kind, subject, merchant: merchantId, payout_id: payoutId, ours, theirs };
}

function cellsOf(difference: Difference): string[] {
  const { kind, subject, merchantId, payoutId, ours, theirs } = difference;
  return [kind, subject, merchantId ?? '', payoutId ?? '', ours, theirs];
}

function keptJson(kept: KeptDifference) {
  const { rail, day, foundAt, resolved } = kept;
  return {
    ...{ rail, day },
    ...differenceJson(kept),
    found_at: jsonTime(foundAt),
    resolved: resolved && { ...resolved, at: jsonTime(resolved.at) },
  };
}

function keptTable(all: readonly KeptDifference[]): string {
  const rows = all.map((kept) => {
    const { rail, day, foundAt, resolved } = kept;
    return [
      rail,
      day,
      ...cellsOf(kept),
      humanTime(foundAt),
      resolved ? `${resolved.by}: ${resolved.resolution}` : 'open',
    ];
  });
  const header = ['RAIL', 'DAY', ...COLUMNS.map((name) => name.toUpperCase()), 'FOUND', 'RESOLVED'];
  return formatTable(header, rows, 'Nothing differs.');
}
