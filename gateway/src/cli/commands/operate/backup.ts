/** `gateway backup …` and `gateway restore`: base backups, the WAL archive, restores and backup proofs. */
import type { Command } from 'commander';
import { isProven } from '../../../domain/backup/backup-proof.ts';
import type { Instant } from '../../../foundation/clock.ts';
import { addCommand, addGroup, type CommandContext, offlineActionOf } from '../../command-context.ts';
import { humanTime, jsonTime } from '../../command-output.ts';
import { readTime, readWholeNumber } from '../../read-arguments.ts';
import { listText, megabytes, proofJson, proofTable, proofText } from '../../texts/backup-texts.ts';

const TO = ['--to <folder>', 'the backup directory, on another machine than the database'] as const;
const FROM = ['--from <folder>', 'the backup directory'] as const;

export function addBackupCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'backup', 'back up the database, and prove that the backups can be restored');
  addTakeCommand(group, context);
  addFollowCommand(group, context);
  addListCommand(group, context);
  addProofCommands(group, context);
}

function addTakeCommand(group: Command, context: CommandContext): void {
  addCommand(group, 'take', 'take a base backup of the running database')
    .requiredOption(...TO)
    .option(
      '--keep <count>',
      'afterwards delete all but the newest base backups, and older WAL',
      readWholeNumber(1, 10_000),
    )
    .action(
      offlineActionOf(context, async ({ to, keep }: { to: string; keep?: number }) => {
        const { deleted, ...backup } = await context.host.backups().take(to, keep ?? null);
        const gone = deleted.map((name) => `\n✓ Deleted the backup ${name}.`).join('');
        return {
          json: { ...backup, takenAt: jsonTime(backup.takenAt), deleted },
          human: `✓ Took the backup ${backup.name} (${megabytes(backup.bytes)}).${gone}`,
        };
      }),
    );
}

function addFollowCommand(group: Command, context: CommandContext): void {
  addCommand(group, 'follow', 'archive the WAL as it is written, until SIGTERM or Ctrl-C')
    .requiredOption(...TO)
    .action(
      offlineActionOf(context, async ({ to }: { to: string }) => {
        const stopping = new AbortController();
        void context.host.untilStopSignal().then(() => stopping.abort());
        await context.host.backups().follow(to, stopping.signal);
        return { json: { stopped: true }, human: '✓ Everything that arrived is archived.' };
      }),
    );
}

function addListCommand(group: Command, context: CommandContext): void {
  addCommand(group, 'list', 'list the base backups in a directory, and the newest time to which they can be restored')
    .requiredOption(...FROM)
    .action(
      offlineActionOf(context, async ({ from }: { from: string }) => {
        const list = await context.host.backups().list(from);
        const { backups, log } = list;
        const json = {
          backups: backups.map((backup) => ({ ...backup, takenAt: jsonTime(backup.takenAt) })),
          log: { ...log, changedAt: jsonTime(log.changedAt) },
        };
        return { json, human: listText(list) };
      }),
    );
}

interface ProofOptions {
  readonly from: string;
  readonly programs?: string;
  readonly scratch?: string;
}

function addProofCommands(group: Command, context: CommandContext): void {
  addCommand(group, 'prove', 'restore the newest backup into a scratch server, check its books, and record the result')
    .requiredOption(...FROM)
    .option('--programs <folder>', 'the directory with pg_ctl of the version that took the backup')
    .option('--scratch <folder>', 'a directory with enough space for the entire database')
    .action(
      offlineActionOf(context, async ({ from, programs, scratch }: ProofOptions) => {
        const order = { folder: from, programs: programs ?? null, scratch: scratch ?? null };
        const proof = await context.host.backups().prove(order);
        return { json: proofJson(proof), human: proofText(proof), exitCode: isProven(proof) ? 0 : 1 };
      }),
    );
  addCommand(
    group,
    'proofs',
    'list the recorded proofs, with the lost time (RPO) and the duration of the restore (RTO)',
  )
    .option('--limit <count>', 'how many', readWholeNumber(1, 1_000), 30)
    .action(
      offlineActionOf(context, async ({ limit }: { limit: number }) => {
        const proofs = await context.host.backups().proofs(limit);
        return { json: proofs.map(proofJson), human: proofTable(proofs) };
      }),
    );
}

export function addRestoreCommand(program: Command, context: CommandContext): void {
  addCommand(program, 'restore', 'restore a backup into an empty data directory; stop every process first')
    .requiredOption(...FROM)
    .option('--to <folder>', 'the data directory of your PostgreSQL; defaults to the embedded database')
    .option('--until <time>', 'restore the state at this time, UTC; defaults to everything that was archived', readTime)
    .action(
      offlineActionOf(context, async (options: { from: string; to?: string; until?: Instant }) => {
        const { from, to = null, until = null } = options;
        const { backup, target, recoveredUntil } = await context.host
          .backups()
          .restore({ folder: from, target: to, until });
        const state =
          recoveredUntil === null
            ? 'Start PostgreSQL there: it replays the WAL and becomes a primary.'
            : `Its newest transaction is from ${humanTime(recoveredUntil)}.`;
        return {
          json: { backup, target, recoveredUntil: jsonTime(recoveredUntil) },
          human: `✓ Restored the backup ${backup} into ${target}. ${state}\n  Before you start the gateway, run: gateway after-restore begin`,
        };
      }),
    );
}
