/** `gateway after-restore`: guides the recovery after a restore, from the restored database until every bank was asked. */
import type { Command } from 'commander';
import type { GatewayOperations } from '../../domain/management/gateway-operations.ts';
import { SKIPPED_NUMBERS } from '../../domain/recovery/begin-recovery.ts';
import type { RailProgress } from '../../domain/recovery/rail-progress.ts';
import { isRecovering, type Recovery } from '../../domain/recovery/recovery.ts';
import type { Instant } from '../../foundation/clock.ts';
import { actionOf, addGroup, type CommandContext } from '../command-context.ts';
import { formatTable, humanTime, jsonTime } from '../command-output.ts';
import { readTime, readWholeNumber } from '../read-arguments.ts';
import { recoveryFailure } from '../refusals.ts';

interface BeginOptions {
  readonly by: string;
  readonly reason: string;
  readonly knownUntil?: Instant;
  readonly skipClabes?: number;
}

export function addRecoveryCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'after-restore', 'recover from a restore: ask the banks before sending payouts');
  addBegin(group, context);
  addCommandIn(group, 'status', 'show what each rail still needs; exit code 1 while the gateway is recovering').action(
    actionOf(context, async (open) => statusOutput(await open())),
  );
  addCommandIn(group, 'compare', 'compare the banks’ lists of the time in doubt now').action(
    actionOf(context, async (open) => {
      const gateway = await open();
      await gateway.recovery.compare(new AbortController().signal);
      return statusOutput(gateway);
    }),
  );
  addComplete(group, context);
  addNotNeeded(group, context);
  addCommandIn(group, 'release', 'send a payout after you proved that no bank has it')
    .argument('<merchant>')
    .argument('<payout_id>')
    .requiredOption('--by <name>', 'the person who takes responsibility')
    .requiredOption('--evidence <text>', 'the proof that no bank has it')
    .action(
      actionOf(context, async (open, merchantId: string, payoutId: string, words: { by: string; evidence: string }) => {
        const released = await (await open()).recovery.release({ merchantId, payoutId }, words);
        if (!released.ok) throw recoveryFailure(released.error);
        return {
          json: { merchant: merchantId, payout_id: payoutId, released: true },
          human: `✓ The rail sends ${merchantId}/${payoutId} in its next round.`,
        };
      }),
    );
}

function addCommandIn(group: Command, name: string, summary: string, isDefault = false): Command {
  return group.command(name, { isDefault }).description(summary).option('--json', 'print one JSON document');
}

function addBegin(group: Command, context: CommandContext): void {
  addCommandIn(group, 'begin', 'record that the database was restored; run it before any process starts', true)
    .requiredOption('--by <name>', 'the person who restored it')
    .requiredOption('--reason <text>', 'the backup, and why it was restored')
    .option(
      '--known-until <time>',
      'the start of the time in doubt; by default the last heartbeat in the database',
      readTime,
    )
    .option(
      '--skip-clabes <n>',
      'the number of CLABEs that may have been issued since; by default 64000',
      readWholeNumber(0, 10_000_000),
    )
    .action(
      actionOf(context, async (open, { by, reason, knownUntil, skipClabes }: BeginOptions) => {
        const { recovery } = await open();
        const skip = { ...SKIPPED_NUMBERS, ...(skipClabes === undefined ? {} : { addresses: skipClabes }) };
        const begun = await recovery.begin({ by, reason, knownUntil: knownUntil ?? null, skip });
        if (!begun.ok) throw recoveryFailure(begun.error);
        const { knownUntil: from, startedAt: to } = begun.value;
        return {
          json: { recovering: true, known_until: jsonTime(from), started_at: jsonTime(to), skipped: skip },
          human: [
            `✓ The gateway is recovering: ${humanTime(from)} to ${humanTime(to)} (UTC) is in doubt.`,
            'Start its processes now, then follow "gateway after-restore status".',
          ].join('\n'),
        };
      }),
    );
}

interface CompleteOptions {
  readonly by: string;
  readonly force?: string;
}

function addComplete(group: Command, context: CommandContext): void {
  addCommandIn(group, 'complete', 'end the recovery of a rail, or of all of them')
    .argument('[rail]', 'its name; all rails by default')
    .requiredOption('--by <name>', 'the person who decides')
    .option(
      '--force <reason>',
      'complete it although its criteria are not met; payouts still wait for their banks or for "release"',
    )
    .action(
      actionOf(context, async (open, rail: string | undefined, { by, force }: CompleteOptions) => {
        const gateway = await open();
        const order = { rail: rail ?? null, by, forcedBecause: force ?? null };
        const completed = await gateway.recovery.complete(order);
        if (!completed.ok) throw recoveryFailure(completed.error);
        const { rails, isOver } = completed.value;
        const head = `✓ Completed: ${rails.join(', ') || 'nothing was left'}.`;
        return {
          json: { rails, recovering: !isOver },
          human: isOver ? `${head} The recovery is over.` : `${head} The gateway is still recovering.`,
        };
      }),
    );
}

function addNotNeeded(group: Command, context: CommandContext): void {
  addCommandIn(group, 'not-needed', 'confirm that a database on a new server or timeline lost nothing')
    .requiredOption('--by <name>', 'the person who takes responsibility')
    .requiredOption('--reason <text>', 'why no commit is lost, such as a planned failover')
    .action(
      actionOf(context, async (open, words: { by: string; reason: string }) => {
        const confirmed = await (await open()).recovery.notNeeded(words);
        if (!confirmed.ok) throw recoveryFailure(confirmed.error);
        const isNew = confirmed.value === 'confirmed';
        return {
          json: { confirmed: isNew },
          human: isNew
            ? '✓ The workers send payouts again within seconds.'
            : 'The lineage of this database is known already. Nothing changed.',
        };
      }),
    );
}

const UNKNOWN_LINEAGE = [
  '✗ The database runs on another server or timeline, as after a restore. No payout is sent.',
  'If it was restored, run "gateway after-restore begin". If it lost nothing, run "gateway after-restore not-needed".',
].join('\n');

async function statusOutput({ recovery }: GatewayOperations) {
  const { isKnown } = await recovery.lineage();
  if (!isKnown) return { json: { recovering: true, declared: false }, human: UNKNOWN_LINEAGE, exitCode: 1 } as const;
  const latest = await recovery.latest();
  if (!latest) return { json: { recovering: false, rails: [] }, human: '✓ This database was never restored.' };
  const progress = await recovery.progress();
  const isOpen = isRecovering(latest);
  return {
    json: { recovering: isOpen, ...recoveryJson(latest), rails: progress.map(progressJson) },
    human: [headOf(latest), progressTable(progress), ...notesOf(progress)].join('\n'),
    exitCode: isOpen ? 1 : 0,
  } as const;
}

function recoveryJson({ startedAt, knownUntil, startedBy, reason, completed }: Recovery) {
  return {
    started_at: jsonTime(startedAt),
    known_until: jsonTime(knownUntil),
    started_by: startedBy,
    reason,
    completed_at: jsonTime(completed?.at ?? null),
  };
}

function progressJson(progress: RailProgress) {
  const { rail, hasList, unasked, comparedAt, unaccounted, completed, missing, caveat } = progress;
  return {
    ...{ rail, unasked, unaccounted, missing, caveat },
    has_list: hasList,
    compared_at: jsonTime(comparedAt),
    completed_at: jsonTime(completed?.at ?? null),
    asks_until: jsonTime(completed?.asksUntil ?? null),
    forced_because: completed?.forcedBecause ?? null,
  };
}

function headOf({ startedAt, knownUntil, startedBy, reason, completed }: Recovery): string {
  const period = `${humanTime(knownUntil)} to ${humanTime(startedAt)} (UTC)`;
  const said = `started by ${startedBy}: ${reason}`;
  return completed === null
    ? `✗ The gateway is recovering; in doubt: ${period}; ${said}`
    : `✓ The recovery was completed at ${humanTime(completed.at)}; in doubt was ${period}; ${said}`;
}

function progressTable(progress: readonly RailProgress[]): string {
  const rows = progress.map((each) => [
    each.rail,
    each.completed !== null ? 'completed' : each.missing.length === 0 ? 'can be completed' : 'not yet',
    String(each.unasked),
    each.hasList ? humanTime(each.comparedAt) : 'no list',
    String(each.unaccounted),
    each.completed ? completionText(each.completed) : each.missing.join('; '),
  ]);
  return formatTable(['RAIL', 'STATE', 'NOT ASKED', 'LISTS COMPARED', 'NOT OURS', 'WHY'], rows, 'There are no rails.');
}

function completionText({ forcedBecause, asksUntil }: NonNullable<RailProgress['completed']>): string {
  const asked =
    asksUntil === null ? [] : [`the gateway asks its bank before each first send until ${humanTime(asksUntil)}`];
  return [...(forcedBecause === null ? [] : [`forced: ${forcedBecause}`]), ...asked].join('; ');
}

function notesOf(progress: readonly RailProgress[]): string[] {
  const blind = progress.filter(({ caveat }) => caveat !== '');
  const strange = progress.filter(({ unaccounted }) => unaccounted > 0);
  return [
    ...blind.map(({ rail, caveat }) => `${rail}: ${caveat}`),
    ...(strange.length > 0 ? ['"gateway difference list" lists the payouts that are not ours.'] : []),
  ];
}
