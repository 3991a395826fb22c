/** `gateway audit …`: the acts of people and programs. */
import type { Command } from 'commander';
import type { AuditEntry } from '../../domain/audit/audit-entry.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../command-context.ts';
import { formatTable, humanTime, jsonTime } from '../command-output.ts';
import { readWholeNumber } from '../read-arguments.ts';

interface ListOptions {
  readonly merchant?: string;
  readonly act?: string;
  readonly object?: string;
  readonly limit: number;
}

export function addAuditCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'audit', 'read the audit log; "gateway verify" checks its chains');
  addCommand(group, 'list', 'list acts, newest first')
    .option('--merchant <merchant>', 'only acts that concern this merchant')
    .option('--act <act>', 'only this act, such as merchants.edit')
    .option('--object <path>', 'only this object, such as merchants/M1')
    .option('--limit <count>', 'the maximum number of rows', readWholeNumber(1, 10_000), 50)
    .action(
      actionOf(context, async (open, { merchant, act, object, limit }: ListOptions) => {
        const filter = { merchantId: merchant ?? null, act: act ?? null, object: object ?? null };
        const entries = await (await open()).audit({ ...filter, limit, before: null });
        return { json: entries.map(entryJson), human: entryTable(entries) };
      }),
    );
}

function entryJson({ at, detail, hash, actor, ...entry }: AuditEntry) {
  return {
    at: jsonTime(at),
    merchant: entry.merchantId,
    number: entry.number,
    act_id: entry.actId,
    act: entry.act,
    phase: entry.phase,
    object: entry.object,
    actor,
    address: entry.address,
    request_id: entry.requestId,
    reason: entry.reason,
    detail: JSON.parse(detail) as unknown,
    hash: hash.toString('hex'),
  };
}

function entryTable(entries: readonly AuditEntry[]): string {
  const rows = entries.map(({ at, act, phase, object, actor, address, reason }) => [
    humanTime(at),
    `${actor.name} (${actor.kind} ${actor.id})`,
    address ?? '',
    act,
    phase,
    object,
    reason ?? '',
  ]);
  return formatTable(['AT', 'BY', 'FROM', 'ACT', 'PHASE', 'OBJECT', 'REASON'], rows, 'There are no such acts.');
}
