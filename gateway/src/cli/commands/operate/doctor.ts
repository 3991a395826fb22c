/** `gateway doctor`. */
import type { Command } from 'commander';
import { addCommand, type CommandContext, offlineActionOf } from '../../command-context.ts';
import type { Finding } from '../../command-host.ts';
import { tick } from '../../command-output.ts';

export function addDoctorCommand(program: Command, context: CommandContext): void {
  addCommand(program, 'doctor', 'check this installation and print a remedy for each problem').action(
    offlineActionOf(context, async () => {
      const findings = await context.host.examineInstallation();
      const isWell = findings.every(({ ok }) => ok);
      return { json: { ok: isWell, findings }, human: findings.map(findingText).join('\n'), exitCode: isWell ? 0 : 1 };
    }),
  );
}

function findingText({ name, ok, found, remedy }: Finding): string {
  const isNoted = ok && remedy !== '';
  return `${isNoted ? '!' : tick(ok)} ${name}: ${found}${remedy === '' ? '' : `\n    → ${remedy}`}`;
}
