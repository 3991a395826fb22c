/** `gateway difference …`: lists and resolves disagreements between providers and the ledger. */
import type { Command } from 'commander';
import { DIFFERENCE_KINDS, type DifferenceKind } from '../../../domain/differences/difference.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../../command-context.ts';
import { formatTable, humanIsoTime } from '../../command-output.ts';
import { readDay, readOneOf } from '../../read-arguments.ts';
import { keptDifferenceTable, keptDifferenceText } from '../../texts/difference-texts.ts';

interface DaysOptions {
  readonly since: string;
  readonly until: string;
  readonly rail?: string;
}

interface ListOptions {
  readonly rail?: string;
  readonly day?: string;
  readonly kind?: DifferenceKind;
  readonly all?: boolean;
}

export function addDifferenceCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'difference', 'list and resolve differences between providers and the ledger');
  addCommand(group, 'list', 'list the open differences')
    .option('--rail <rail>', 'show only this rail')
    .option('--day <date>', 'only this day', readDay)
    .option('--kind <kind>', DIFFERENCE_KINDS.join(', '), readOneOf(DIFFERENCE_KINDS))
    .option('--all', 'include resolved differences')
    .action(
      actionOf(context, async (call, { rail, day, kind, all = false }: ListOptions) => {
        const query = { ...(rail && { rail }), ...(day && { day }), ...(kind && { kind }), all };
        const { items } = await call('differences.list', { query });
        return { json: items, human: keptDifferenceTable(items) };
      }),
    );
  addCommand(group, 'days', 'list the compared days, each with the result of its latest comparison')
    .requiredOption('--since <date>', 'the first day', readDay)
    .requiredOption('--until <date>', 'the last day', readDay)
    .option('--rail <rail>', 'show only this rail')
    .action(
      actionOf(context, async (call, { rail, since, until }: DaysOptions) => {
        const query = { from: since, until, ...(rail === undefined ? {} : { rail }) };
        const { items } = await call('reconciliation.listDays', { query });
        const rows = items.map((day) => [
          day.day,
          day.rail,
          humanIsoTime(day.runAt),
          ...[day.matched, day.open, day.found].map(String),
        ]);
        const header = ['DAY', 'RAIL', 'COMPARED', 'MATCHED', 'OPEN', 'DIFFERENCES'];
        return { json: items, human: formatTable(header, rows, 'No day was compared.') };
      }),
    );
  addNamed(group, 'show', 'show one difference').action(
    actionOf(context, async (call, ...[rail, day, kind, subject]: KeyArguments) => {
      const found = await call('differences.show', { params: { rail, day, kind, subject } });
      return { json: found, human: keptDifferenceText(found) };
    }),
  );
  addNamed(group, 'resolve', 'record the cause of a difference; this does not move money')
    .requiredOption('--note <text>', 'the cause and the remedy')
    .action(
      actionOf(context, async (call, ...[rail, day, kind, subject, { note }]: ResolveArguments) => {
        const params = { rail, day, kind, subject };
        const json = await call('differences.resolve', { params, body: { reason: note } }, { reason: 'note' });
        return { json, human: '✓ Resolved the difference.' };
      }),
    );
}

function addNamed(group: Command, name: string, summary: string): Command {
  return addCommand(group, name, summary)
    .argument('<rail>', 'the name of the rail')
    .argument('<date>', 'the day of the difference, such as 2026-11-20', readDay)
    .argument('<kind>', DIFFERENCE_KINDS.join(', '), readOneOf(DIFFERENCE_KINDS))
    .argument('<subject>', 'as "difference list" prints it');
}

type KeyArguments = [rail: string, day: string, kind: DifferenceKind, subject: string];
type ResolveArguments = [...KeyArguments, options: { readonly note: string }];
