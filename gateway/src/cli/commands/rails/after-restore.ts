/** `gateway after-restore`: guides the recovery from the restored database until every bank was queried. */
import type { Command } from 'commander';
import type { RailProgress, Recovery } from '../../../../contract/endpoints/recovery.ts';
import type { Instant } from '../../../foundation/clock.ts';
import { actionOf, addGroup, type CommandContext } from '../../command-context.ts';
import { formatTable, humanIsoTime, jsonTime } from '../../command-output.ts';
import { readTime, readWholeNumber } from '../../read-arguments.ts';

interface BeginOptions {
  readonly reason: string;
  readonly knownUntil?: Instant;
  readonly skipClabes?: number;
}

export function addRecoveryCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'after-restore', 'recover from a restore: query the banks before sending payouts');
  addBegin(group, context);
  addCommandIn(
    group,
    'status',
    'show the unmet criteria of each rail; exit with code 1 while the gateway is recovering',
  ).action(actionOf(context, async (call) => statusOutput(await call('recovery.show'))));
  addCommandIn(group, 'compare', 'compare the banks’ lists for the recovery window now').action(
    actionOf(context, async (call) => statusOutput(await call('recovery.compare'))),
  );
  addComplete(group, context);
  addNotNeeded(group, context);
  addCommandIn(group, 'release', 'release a payout that no bank received')
    .argument('<merchant>')
    .argument('<payout_id>')
    .requiredOption('--evidence <text>', 'the proof that no bank received it')
    .action(
      actionOf(context, async (call, merchantId: string, payoutId: string, { evidence }: { evidence: string }) => {
        const body = { reason: evidence };
        const json = await call('recovery.release', { params: { merchantId, payoutId }, body }, { reason: 'evidence' });
        return { json, human: `✓ The rail sends ${merchantId}/${payoutId} in its next round.` };
      }),
    );
}

function addCommandIn(group: Command, name: string, summary: string, isDefault = false): Command {
  return group.command(name, { isDefault }).description(summary).option('--json', 'print one JSON document');
}

function addBegin(group: Command, context: CommandContext): void {
  addCommandIn(group, 'begin', 'record that the database was restored; run it before any process starts', true)
    .requiredOption('--reason <text>', 'the backup, and why it was restored')
    .option(
      '--known-until <time>',
      'the start of the recovery window; defaults to the last heartbeat in the database',
      readTime,
    )
    .option(
      '--skip-clabes <n>',
      'the number of CLABEs that may have been issued since; defaults to 64000',
      readWholeNumber(0, 10_000_000),
    )
    .action(
      actionOf(context, async (call, { reason, knownUntil, skipClabes }: BeginOptions) => {
        const from = jsonTime(knownUntil ?? null);
        const skipped = skipClabes === undefined ? {} : { skipClabes };
        const json = await call('recovery.begin', { body: { reason, ...(from && { knownUntil: from }), ...skipped } });
        return {
          json,
          human: [
            `✓ The gateway is recovering: ${humanIsoTime(json.knownUntil)} to ${humanIsoTime(json.startedAt)} (UTC) is the recovery window.`,
            'Start its processes now, then follow "gateway after-restore status".',
          ].join('\n'),
        };
      }),
    );
}

function addComplete(group: Command, context: CommandContext): void {
  addCommandIn(group, 'complete', 'complete the recovery of one rail or of all rails')
    .argument('[rail]', 'the rail name; defaults to all rails')
    .option(
      '--force <reason>',
      'complete the recovery even if its criteria are not met; payouts still wait for their banks or for "release"',
    )
    .action(
      actionOf(context, async (call, rail: string | undefined, { force }: { force?: string }) => {
        const body = { ...(rail && { rail }), ...(force !== undefined && { force: { reason: force } }) };
        const json = await call('recovery.complete', { body }, { reason: 'force' });
        const head = `✓ Completed: ${json.rails.join(', ') || 'no rail was recovering'}.`;
        return {
          json,
          human: `${head} ${json.recovering ? 'The gateway is still recovering.' : 'The recovery is over.'}`,
        };
      }),
    );
}

function addNotNeeded(group: Command, context: CommandContext): void {
  addCommandIn(group, 'not-needed', 'confirm that a database on a new server or timeline lost no data')
    .requiredOption('--reason <text>', 'why no commit is lost, such as a planned failover')
    .action(
      actionOf(context, async (call, { reason }: { reason: string }) => {
        const json = await call('recovery.notNeeded', { body: { reason } });
        return {
          json,
          human: json.confirmed
            ? '✓ The workers send payouts again within seconds.'
            : 'The lineage of this database was already confirmed. Nothing changed.',
        };
      }),
    );
}

const UNKNOWN_LINEAGE = [
  '✗ The database runs on another server or timeline, as after a restore. No payout is sent.',
  'If it was restored, run "gateway after-restore begin". If no data was lost, run "gateway after-restore not-needed".',
].join('\n');

function statusOutput(json: Recovery) {
  const { latest, rails, recovering, lineageKnown } = json;
  if (!lineageKnown) return { json, human: UNKNOWN_LINEAGE, exitCode: 1 } as const;
  if (!latest) return { json, human: '✓ This database was never restored.' };
  return {
    json,
    human: [headOf(latest), progressTable(rails), ...notesOf(rails)].join('\n'),
    exitCode: recovering ? 1 : 0,
  } as const;
}

function headOf({ startedAt, knownUntil, startedBy, reason, completedAt }: NonNullable<Recovery['latest']>): string {
  const period = `${humanIsoTime(knownUntil)} to ${humanIsoTime(startedAt)} (UTC)`;
  const said = `started by ${startedBy}: ${reason}`;
  return completedAt === null
    ? `✗ The gateway is recovering; recovery window: ${period}; ${said}`
    : `✓ The recovery was completed at ${humanIsoTime(completedAt)}; recovery window: ${period}; ${said}`;
}

function progressTable(progress: readonly RailProgress[]): string {
  const rows = progress.map((each) => [
    each.rail,
    each.completed !== null ? 'completed' : each.missing.length === 0 ? 'can be completed' : 'not yet',
    String(each.unasked),
    each.hasList ? humanIsoTime(each.comparedAt) : 'no list',
    String(each.unaccounted),
    each.completed ? completionText(each.completed) : each.missing.join('; '),
  ]);
  return formatTable(['RAIL', 'STATE', 'NOT QUERIED', 'LISTS COMPARED', 'UNKNOWN REFERENCES', 'REASON'], rows, 'None.');
}

function completionText({ forcedBecause, asksUntil }: NonNullable<RailProgress['completed']>): string {
  const asked =
    asksUntil === null ? [] : [`the gateway queries its bank before each first send until ${humanIsoTime(asksUntil)}`];
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
