/** `gateway migrate`. */
import type { Command } from 'commander';
import { addCommand, type CommandContext, offlineActionOf } from '../../command-context.ts';

export function addMigrateCommand(program: Command, context: CommandContext): void {
  addCommand(program, 'migrate', 'migrate the database to the schema of this version')
    .option(
      '--distributed',
      'distribute the tables by merchant over a Citus cluster; stop all processes before the first run',
    )
    .action(
      offlineActionOf(context, async ({ distributed = false }: { distributed?: boolean }) => {
        const report = await context.host.migrate(distributed);
        const done = [
          ...report.applied,
          ...report.distributed.map((table) => `${table} is distributed over the cluster`),
        ];
        const human = done.map((line) => `✓ ${line}`).join('\n');
        return { json: { ...report }, human: human === '' ? '✓ The database is up to date.' : human };
      }),
    );
}
