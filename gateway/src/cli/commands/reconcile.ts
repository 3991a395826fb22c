/** `gateway reconcile`: compares a provider's records with the ledger. */
import type { Command } from 'commander';
import type { ComparedKind } from '../../domain/differences/difference.ts';
import type { AnsweredPayout } from '../../domain/reconciliation/ask-named-payouts.ts';
import type { ReconciledDay } from '../../domain/reconciliation/reconcile-payouts.ts';
import { formatAmount } from '../../foundation/money.ts';
import { actionOf, addCommand, type CommandContext } from '../command-context.ts';
import { CommandFailure, formatCsv, formatTable, jsonTime } from '../command-output.ts';
import { DIFFERENCE_COLUMNS, differenceCells, differenceJson } from '../difference-texts.ts';
import { readDay } from '../read-arguments.ts';
import { readPayoutListFile } from '../read-payout-list.ts';

const LISTED = { list: 'listed', asking: 'asked about' } as const;
const SETTLED = { list: 'waited here and ended by it', asking: 'changed by it' } as const;
/** The kinds of differences that each way of comparing cannot detect. */
const NOT_SEEN: Readonly<Record<ReconciledDay['by'], readonly ComparedKind[]>> = {
  list: [],
  asking: ['missing_here', 'duplicate'],
};
const ASKED_NOTE = [
  'Not compared: payouts that only the provider has, and payouts that it made twice. The provider offers no list.',
  'Compare the provider’s own report, or ask about payouts that a merchant names: gateway reconcile RAIL --payouts FILE',
].join('\n');

/** Without a provider's list, a day is never compared completely. */
const SAME_SIGN = { list: '✓', asking: '~' } as const;

interface ReconcileOptions {
  readonly csv?: boolean;
  readonly payouts?: string;
}

export function addReconcileCommand(program: Command, context: CommandContext): void {
  addCommand(
    program,
    'reconcile',
    'compare a provider’s records of a day with the ledger; exit with code 1 if they differ',
  )
    .argument('<rail>', 'its name')
    .argument(
      '[date]',
      'a day in the provider’s time zone, such as 2026-11-20; by default, read the rail’s lists of transfers',
      readDay,
    )
    .option('--csv', 'print the differences as CSV')
    .option(
      '--payouts <file>',
      'ask the provider about these payouts instead, and record as a difference each one that only the provider has; one line per payout: merchant, payout id, amount, currency',
    )
    .action(
      actionOf(context, async (open, rail: string, day: string | undefined, options: ReconcileOptions) => {
        const { csv = false, payouts } = options;
        if (payouts !== undefined && day === undefined) return askAbout(open, rail, payouts);
        if (payouts !== undefined) throw new CommandFailure('Give a date, or --payouts FILE.');
        if (day === undefined) return takeTransfers(open, rail);
        const { reconciliation } = await open();
        const found = await reconciliation.run(rail, day);
        if (!found) {
          const known = reconciliation.rails.join(', ') || 'none';
          throw new CommandFailure(`"${rail}" has no records to compare. These rails have: ${known}.`);
        }
        return {
          json: dayJson(found),
          human: csv ? formatCsv(DIFFERENCE_COLUMNS, found.differences.map(differenceCells)) : dayText(found),
          exitCode: found.differences.length === 0 ? 0 : 1,
        };
      }),
    );
}

const ANSWER_COLUMNS = ['merchant', 'payout_id', 'reference', 'ours', 'theirs', 'comparison'] as const;

async function askAbout(open: Parameters<Parameters<typeof actionOf>[1]>[0], rail: string, path: string) {
  const named = await readPayoutListFile(path);
  const { reconciliation } = await open();
  const answers = await reconciliation.ask(rail, named);
  if (!answers) throw new CommandFailure(`There is no payout rail "${rail}".`);
  const count = (comparison: AnsweredPayout['comparison']) =>
    answers.filter((each) => each.comparison === comparison).length;
  const [same, differ, unanswered] = [count('same'), count('differs'), count('not_compared')];
  const isClean = same === answers.length;
  const head = `${rail}: asked about ${answers.length}; ${same} match, ${differ} differ, ${unanswered} not compared.`;
  const header = ANSWER_COLUMNS.map((name) => name.toUpperCase());
  const rows = answers.map(answerCells);
  return {
    json: { rail, same, differ, not_compared: unanswered, payouts: answers.map(answerJson) },
    human: [`${isClean ? '✓' : '✗'} ${head}`, formatTable(header, rows, ''), ...keptNote(answers)].join('\n'),
    exitCode: isClean ? 0 : 1,
  } as const;
}

function keptNote(answers: readonly AnsweredPayout[]): string[] {
  const kept = answers.filter(({ isKept }) => isKept).length;
  if (kept === 0) return [];
  return [
    `Only the provider has ${kept} of them. The gateway never sends their references again; "gateway difference list" lists them.`,
  ];
}

/** Reads the rail's lists of incoming transfers, for every day that may lack one. */
async function takeTransfers(open: Parameters<Parameters<typeof actionOf>[1]>[0], rail: string) {
  const days = await (await open()).reconciliation.transfers(rail);
  if (!days) throw new CommandFailure(`Give a date, or --payouts FILE: "${rail}" has no lists of transfers.`);
  const differ = days.reduce((sum, { differing }) => sum + differing, 0);
  const rows = days.map(({ day, listed, found, differing }) => [day, `${listed}`, `${found}`, `${differing}`]);
  const table = formatTable(['DAY', 'LISTED', 'FOUND ONLY THERE', 'DIFFER'], rows, 'There is no day to compare.');
  return {
    json: { rail, days: days.map(({ day, listed, found, differing }) => ({ day, listed, found, differing })) },
    human: `${differ === 0 ? '✓' : '✗'} ${rail}: read its lists of transfers.\n${table}`,
    exitCode: differ === 0 ? 0 : 1,
  } as const;
}

function answerCells({ merchantId, payoutId, reference, ours, theirs, comparison }: AnsweredPayout): string[] {
  return [merchantId, payoutId, reference, ours, theirs, comparison.replace('_', ' ')];
}

function answerJson(answered: AnsweredPayout) {
  const { merchantId, payoutId, money, reference, ours, theirs, comparison, isKept: kept } = answered;
  const { currency } = money;
  const amount = formatAmount(money);
  return { merchant: merchantId, payout_id: payoutId, amount, currency, reference, ours, theirs, comparison, kept };
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
  const rows = differences.map(differenceCells);
  const header = DIFFERENCE_COLUMNS.map((name) => name.toUpperCase());
  const report = rows.length === 0 ? `${SAME_SIGN[by]} ${head}` : `✗ ${head}\n${formatTable(header, rows, '')}`;
  return by === 'list' ? report : [report, ...waitingNote(rail, waiting), ASKED_NOTE].join('\n');
}

function waitingNote(rail: string, waiting: number): string[] {
  if (waiting === 0) return [];
  return [`Not compared: ${waiting} payouts that are pending here. gateway payout list --rail ${rail} --state pending`];
}
