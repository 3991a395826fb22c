/** The commands about the gateway as a whole: serve, migrate, vault rotate, verify, doctor. */
import type { Command } from 'commander';
import type { ProcessCount } from '../../foundation/process-count.ts';
import { actionOf, addCommand, addGroup, type CommandContext, offlineActionOf } from '../command-context.ts';
import { type Finding, SERVE_ROLES, type ServeRole } from '../command-host.ts';
import { formatTable, tick } from '../command-output.ts';
import { invariantText } from '../invariant-texts.ts';
import { readOneOf, readProcessCount } from '../read-arguments.ts';

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

export function addVaultCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'vault', 'manage the master key');
  addCommand(group, 'rotate', 'encrypt all secrets under the current master key; the gateway keeps running').action(
    actionOf(context, async (call) => {
      const json = await call('vault.rotate');
      const lost = json.unopened.map((place) => `\n✗ No configured key opens ${place}`).join('');
      return {
        json,
        human: `✓ Sealed ${json.rewrapped} secrets again; the master key is now ${json.masterKeyId}.${lost}`,
        exitCode: json.unopened.length === 0 ? 0 : 1,
      };
    }),
  );
  addCommand(group, 'status', 'show the master key, and how many secrets are under another one').action(
    actionOf(context, async (call) => {
      const json = await call('vault.progress');
      const rows = Object.entries(json.remaining).map(([table, count]) => [table, String(count)]);
      const human = [`The master key is ${json.masterKeyId}.`, formatTable(['TABLE', 'UNDER ANOTHER KEY'], rows, '')];
      return { json, human: human.join('\n') };
    }),
  );
}

export function addVerifyCommand(program: Command, context: CommandContext): void {
  addCommand(program, 'verify', 'check all invariants of the books; exit with code 1 if one is broken').action(
    actionOf(context, async (call) => {
      const json = await call('books.verify');
      return { json, human: json.invariants.map(invariantText).join('\n'), exitCode: json.ok ? 0 : 1 };
    }),
  );
}

export function addDoctorCommand(program: Command, context: CommandContext): void {
  addCommand(program, 'doctor', 'check this installation and print a remedy for each fault').action(
    offlineActionOf(context, async () => {
      const findings = await context.host.diagnose();
      const isWell = findings.every(({ ok }) => ok);
      return { json: { ok: isWell, findings }, human: findings.map(findingText).join('\n'), exitCode: isWell ? 0 : 1 };
    }),
  );
}

function findingText({ name, ok, found, remedy }: Finding): string {
  const isNoted = ok && remedy !== '';
  return `${isNoted ? '!' : tick(ok)} ${name}: ${found}${remedy === '' ? '' : `\n    → ${remedy}`}`;
}
