/** `gateway process …`: the running processes of the gateway. */
import type { Command } from 'commander';
import type { RunningProcess } from '../../../../contract/endpoints/rails.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../../command-context.ts';
import { formatTable, humanIsoTime } from '../../command-output.ts';

export function addProcessCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'process', 'show the processes of the gateway');
  addCommand(group, 'list', 'list the running processes, with their versions and rails').action(
    actionOf(context, async (call) => {
      const { items } = await call('processes.list');
      return { json: items, human: processTable(items) };
    }),
  );
}

function processTable(processes: readonly RunningProcess[]): string {
  const rows = processes.map(({ role, host, version, since, seenAt, rails }) => [
    role,
    host,
    version,
    humanIsoTime(since),
    humanIsoTime(seenAt),
    rails.join(' '),
  ]);
  return formatTable(['ROLE', 'SERVER', 'VERSION', 'SINCE', 'LAST SEEN', 'RAILS'], rows, 'No process runs.');
}
