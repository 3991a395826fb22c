/** `gateway difference …`: lists and resolves disagreements between providers and the ledger. */
import type { Command } from 'commander';
import { DIFFERENCE_KINDS, type DifferenceKey, type DifferenceKind } from '../../domain/differences/difference.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../command-context.ts';
import { keptDifferenceJson, keptDifferenceTable, keptDifferenceText } from '../difference-texts.ts';
import { readDay, readOneOf } from '../read-arguments.ts';
import { differenceFailure, differenceNotFound } from '../refusals.ts';

interface ListOptions {
  readonly rail?: string;
  readonly day?: string;
  readonly kind?: DifferenceKind;
  readonly all?: boolean;
}

export function addDifferenceCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'difference', 'list and resolve differences between providers and the ledger');
  addCommand(group, 'list', 'list the open differences')
    .option('--rail <rail>', 'only this rail')
    .option('--day <date>', 'only this day', readDay)
    .option('--kind <kind>', DIFFERENCE_KINDS.join(', '), readOneOf(DIFFERENCE_KINDS))
    .option('--all', 'include resolved ones')
    .action(
      actionOf(context, async (open, { rail, day, kind, all = false }: ListOptions) => {
        const filter = { rail: rail ?? null, day: day ?? null, kind: kind ?? null, openOnly: !all };
        const kept = await (await open()).differences.list(filter);
        return { json: kept.map(keptDifferenceJson), human: keptDifferenceTable(kept) };
      }),
    );
  addNamed(group, 'show', 'show one difference').action(
    actionOf(context, async (open, ...[rail, day, kind, subject]: KeyArguments) => {
      const found = await (await open()).differences.find({ rail, day, kind, subject });
      if (!found) throw differenceNotFound();
      return { json: keptDifferenceJson(found), human: keptDifferenceText(found) };
    }),
  );
  addNamed(group, 'resolve', 'record the cause of a difference; this moves no money')
    .requiredOption('--by <name>', 'the person who examined it')
    .requiredOption('--note <text>', 'the cause, and what was done')
    .action(actionOf(context, (open, ...values: ResolveArguments) => resolve(open, ...values)));
}

function addNamed(group: Command, name: string, summary: string): Command {
  return addCommand(group, name, summary)
    .argument('<rail>', 'its name')
    .argument('<date>', 'its day', readDay)
    .argument('<kind>', DIFFERENCE_KINDS.join(', '), readOneOf(DIFFERENCE_KINDS))
    .argument('<subject>', 'as “difference list” prints it');
}

type KeyArguments = [rail: string, day: string, kind: DifferenceKind, subject: string];
type ResolveArguments = [...KeyArguments, options: { readonly by: string; readonly note: string }];

async function resolve(open: Parameters<Parameters<typeof actionOf>[1]>[0], ...values: ResolveArguments) {
  const [rail, day, kind, subject, { by, note }] = values;
  const key: DifferenceKey = { rail, day, kind, subject };
  const resolved = await (await open()).differences.resolve(key, by, note);
  if (!resolved.ok) throw differenceFailure(resolved.error);
  return { json: { ...key, resolved: true }, human: '✓ The difference is resolved.' };
}
