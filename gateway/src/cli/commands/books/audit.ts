/** `gateway audit …`: the audit log of users' and programs' actions. */
import type { Command } from 'commander';
import type { AuditEntry } from '../../../../contract/endpoints/audit.ts';
import type { Instant } from '../../../foundation/clock.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../../command-context.ts';
import { formatTable, humanIsoTime } from '../../command-output.ts';
import { readTime, readWholeNumber } from '../../read-arguments.ts';
import { invariantText } from '../../texts/invariant-texts.ts';
import { iso, readItems } from '../list-command.ts';

interface ListOptions {
  readonly merchant?: string;
  readonly act?: string;
  readonly object?: string;
  readonly actor?: string;
  readonly since?: Instant;
  readonly until?: Instant;
  readonly limit: number;
}

export function addAuditCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'audit', 'read the audit log and check its chains');
  addCommand(group, 'list', 'list actions, newest first')
    .option('--merchant <merchant>', 'only actions that concern this merchant')
    .option('--act <act>', 'only this action, such as merchants.edit')
    .option('--object <path>', 'only this object, such as merchants/M1')
    .option('--actor <id>', 'show only actions by this user or token')
    .option('--since <time>', 'UTC, such as 2026-11-20 or "2026-11-20 10:00:00"; at this time or later', readTime)
    .option('--until <time>', 'UTC; before this time', readTime)
    .option('--limit <count>', 'the maximum number of rows', readWholeNumber(1, 10_000), 50)
    .action(
      actionOf(context, async (call, { merchant: merchantId, limit, since, until, ...filters }: ListOptions) => {
        const query = { ...filters, merchantId, from: iso(since), to: iso(until) };
        const entries = await readItems<AuditEntry>(call, 'audit.list', query, limit);
        return { json: entries, human: entryTable(entries) };
      }),
    );
  addCommand(group, 'verify', 'check the chains of the audit log; exit with code 1 if one is broken').action(
    actionOf(context, async (call) => {
      const json = await call('audit.verify');
      const rows = json.heads.map(({ merchantId, number, hash }) => [merchantId, String(number), hash]);
      const heads = formatTable(['CHAIN', 'NEWEST ENTRY', 'HASH'], rows, 'The audit log is empty.');
      const human = [...json.invariants.map(invariantText), heads].join('\n');
      return { json, human, exitCode: json.ok ? 0 : 1 };
    }),
  );
}

function entryTable(entries: readonly AuditEntry[]): string {
  const rows = entries.map(({ at, act, phase, object, actor, address, reason }) => [
    humanIsoTime(at),
    `${actor.name} (${actor.kind} ${actor.id})`,
    address ?? '',
    act,
    phase,
    object,
    reason ?? '',
  ]);
  return formatTable(['AT', 'BY', 'FROM', 'ACTION', 'PHASE', 'OBJECT', 'REASON'], rows, 'No actions match.');
}
