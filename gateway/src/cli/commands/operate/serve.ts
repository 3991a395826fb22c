/** `gateway serve`. */
import type { Command } from 'commander';
import type { ProcessCount } from '../../../foundation/process-count.ts';
import type { CommandContext } from '../../command-context.ts';
import { SERVE_ROLES, type ServeRole } from '../../command-host.ts';
import { readOneOf, readProcessCount } from '../../read-arguments.ts';

export function addServeCommand(program: Command, context: CommandContext): void {
  program
    .command('serve')
    .description('run the gateway until SIGTERM or Ctrl-C')
    .option(
      '--role <role>',
      'all, api (accepts requests), worker (sends payouts and callbacks) or manage (the management API)',
      readOneOf(SERVE_ROLES),
      'all',
    )
    .option(
      '--processes <n>',
      'the number of processes that share the port; all starts one for each core',
      readProcessCount,
    )
    .action(async ({ role, processes }: { role: ServeRole; processes?: ProcessCount }) => {
      context.exitCode = await context.host.serve(role, processes);
    });
}
