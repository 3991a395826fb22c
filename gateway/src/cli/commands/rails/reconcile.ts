/** `gateway reconcile`: compares a provider's records with the ledger. */
import type { Command } from 'commander';
import type { AnsweredPayout, ComparedDay } from '../../../../contract/endpoints/reconciliation.ts';
import { formatAmount } from '../../../foundation/money.ts';
import { actionOf, addCommand, type CommandContext } from '../../command-context.ts';
import { CommandFailure, formatCsv, formatTable } from '../../command-output.ts';
import type { CallApi } from '../../manage-api.ts';
import { readDay } from '../../read-arguments.ts';
import { readPayoutListFile } from '../../read-payout-list.ts';
import { DIFFERENCE_COLUMNS, differenceCells } from '../../texts/difference-texts.ts';

const LISTED = { list: 'listed', asking: 'asked about' } as const;
const SETTLED = { list: 'pending payouts settled', asking: 'changed' } as const;
const ASKED_NOTE = [
  'Not compared: payouts that only the provider has, and payouts that it executed twice. The provider does not offer a list.',
  'Compare the provider’s own report, or query the payouts that a merchant names: gateway reconcile RAIL --payouts FILE',
].join('\n');

/** Without a provider's list, the comparison of a day is never complete. */
const SAME_SIGN = { list: '✓', asking: '~' } as const;

interface ReconcileOptions {
  readonly payouts?: string;
}

export function addReconcileCommand(program: Command, context: CommandContext): void {
  addCommand(
    program,
    'reconcile',
    'compare a provider’s records of a day with the ledger; exit with code 1 if they differ',
  )
    .argument('<rail>', 'the name of the rail')
    .argument(
      '[date]',
      'a day in the provider’s time zone, such as 2026-11-20; without it, read the rail’s transfer lists',
      readDay,
    )
    .option(
      '--payouts <file>',
      'query the provider about these payouts instead, and record each payout that only the provider has as a difference; one line per payout: merchant, payout id, amount, currency',
    )
    .action(
      actionOf(context, async (call, rail: string, day: string | undefined, options: ReconcileOptions) => {
        const { payouts } = options;
        if (payouts !== undefined && day === undefined) return askAbout(call, rail, payouts);
        if (payouts !== undefined) throw new CommandFailure('Give a date, or --payouts FILE.');
        if (day === undefined) return recordTransfers(call, rail);
        const found = await call('reconciliation.compareDay', { params: { rail, day } });
        return {
          json: found,
          human: dayText(found),
          csv: formatCsv(DIFFERENCE_COLUMNS, found.differences.map(differenceCells)),
          exitCode: found.differences.length === 0 ? 0 : 1,
        };
      }),
    );
}

/** The maximum number of payouts that one request queries. */
const ASKED_AT_ONCE = 100;

const ANSWER_COLUMNS = ['merchant', 'payout_id', 'reference', 'ours', 'theirs', 'comparison'] as const;

async function askAbout(call: CallApi, rail: string, path: string) {
  const named = await readPayoutListFile(path);
  const payouts = named.map(({ money, ...key }) => ({ ...key, amount: formatAmount(money), currency: money.currency }));
  const answers: AnsweredPayout[] = [];
  for (let first = 0; first < payouts.length; first += ASKED_AT_ONCE) {
    const body = { payouts: payouts.slice(first, first + ASKED_AT_ONCE) };
    answers.push(...(await call('reconciliation.askPayouts', { params: { rail }, body })).payouts);
  }
  const count = (comparison: AnsweredPayout['comparison']) =>
    answers.filter((each) => each.comparison === comparison).length;
  const [same, differ, unanswered] = [count('same'), count('differs'), count('not_compared')];
  const isClean = same === answers.length;
  const head = `${rail}: queried ${answers.length} payouts; ${same} match, ${differ} differ, ${unanswered} not compared.`;
  const header = ANSWER_COLUMNS.map((name) => name.toUpperCase());
  const rows = answers.map(answerCells);
  return {
    json: { payouts: answers },
    human: [`${isClean ? '✓' : '✗'} ${head}`, formatTable(header, rows, ''), ...keptNote(answers)].join('\n'),
    exitCode: isClean ? 0 : 1,
  } as const;
}

function keptNote(answers: readonly AnsweredPayout[]): string[] {
  const kept = answers.filter((each) => each.kept).length;
  if (kept === 0) return [];
  return [
    `Only the provider has ${kept} of them. The gateway never sends their references again; "gateway difference list" lists them.`,
  ];
}

/** Reads the rail's lists of incoming transfers for every day that may be incomplete. */
async function recordTransfers(call: CallApi, rail: string) {
  const json = await call('reconciliation.readTransfers', { params: { rail } });
  const { days } = json;
  const differ = days.reduce((sum, { differing }) => sum + differing, 0);
  const rows = days.map(({ day, listed, found, differing }) => [day, `${listed}`, `${found}`, `${differing}`]);
  const table = formatTable(['DAY', 'LISTED', 'ONLY AT THE BANK', 'DIFFER'], rows, 'No day was compared.');
  return {
    json,
    human: `${differ === 0 ? '✓' : '✗'} ${rail}: read its lists of transfers.\n${table}`,
    exitCode: differ === 0 ? 0 : 1,
  } as const;
}

function answerCells({ merchantId, payoutId, reference, ours, theirs, comparison }: AnsweredPayout): string[] {
  return [merchantId, payoutId, reference, ours, theirs, comparison.replace('_', ' ')];
}

function dayText({ rail, day, listed, matched, settled, differences, by, waiting }: ComparedDay): string {
  const ended = settled > 0 ? `, ${settled} ${SETTLED[by]}` : '';
  const head = `${rail}, ${day}: ${listed} ${LISTED[by]}, ${matched} match the ledger${ended}, ${differences.length} differ.`;
  const rows = differences.map(differenceCells);
  const header = DIFFERENCE_COLUMNS.map((name) => name.toUpperCase());
  const report = rows.length === 0 ? `${SAME_SIGN[by]} ${head}` : `✗ ${head}\n${formatTable(header, rows, '')}`;
  return by === 'list' ? report : [report, ...waitingNote(rail, waiting), ASKED_NOTE].join('\n');
}

function waitingNote(rail: string, waiting: number): string[] {
  if (waiting === 0) return [];
  return [`Not compared: ${waiting} payouts that are pending here. gateway payout list --rail ${rail} --state pending`];
}
