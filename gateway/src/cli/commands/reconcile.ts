/** `gateway reconcile`, `gateway difference …`: what a provider says against the ledger. */
import type { Command } from 'commander';
import { DIFFERENCE_KINDS, type Difference, type DifferenceKind } from '../../domain/payouts/compare-statement.ts';
import type { ReconciledDay } from '../../domain/payouts/reconcile-payouts.ts';
import type { KeptDifference } from '../../domain/payouts/reconciliation-store.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../command-context.ts';
import { CommandFailure, formatCsv, formatTable, humanTime, jsonTime } from '../command-output.ts';
import { readDay, readOneOf } from '../read-arguments.ts';
import { differenceFailure } from '../refusals.ts';

const COLUMNS = ['kind', 'subject', 'merchant', 'payout_id', 'ours', 'theirs'] as const;

const LISTED = { list: 'listed', asking: 'asked about' } as const;
const SETTLED = { list: 'waited here and ended with it', asking: 'changed with it' } as const;
/** Kinds of differences that can't be found so. */
const NOT_SEEN: Readonly<Record<ReconciledDay['by'], readonly DifferenceKind[]>> = {
  list: [],
  asking: ['missing_here', 'duplicate'],
};
const ASKED_NOTE = 'It has no list: the ledger’s payouts were asked about, and what only the provider has is not seen.';

export function addReconciliationCommands(program: Command, context: CommandContext): void {
  addCommand(
    program,
    'reconcile',
    'compare what a provider says of a day with the ledger; exit code 1 when they differ',
  )
    .argument('<rail>', 'its name')
    .argument('<date>', 'the day as the provider counts it, such as 2026-11-20', readDay)
    .option('--csv', 'print the differences as CSV')
    .action(
      actionOf(context, async (open, rail: string, day: string, { csv = false }: { csv?: boolean }) => {
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

function dayJson({ reconciliation, differences, by }: ReconciledDay) {
  const { runAt, ...counts } = reconciliation;
  return {
    ...counts,
    by,
    not_seen: NOT_SEEN[by],
    run_at: jsonTime(runAt),
    differences: differences.map(differenceJson),
  };
}

function dayText({ reconciliation, differences, by }: ReconciledDay): string {
  const { rail, day, listed, matched, settled } = reconciliation;
  const ended = settled > 0 ? `, ${settled} ${SETTLED[by]}` : '';
  const head = `${rail}, ${day}: ${listed} ${LISTED[by]}, ${matched} as in the ledger${ended}, ${differences.length} differ.`;
  const rows = differences.map(cellsOf);
  const header = COLUMNS.map((name) => name.toUpperCase());
  const report = rows.length === 0 ? `✓ ${head}` : `✗ ${head}\n${formatTable(header, rows, '')}`;
  return by === 'list' ? report : `${report}\n${ASKED_NOTE}`;
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
