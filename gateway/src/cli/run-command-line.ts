/**
 * Runs the command line. Exit codes: 0 for success; 1 for a rejection, a failure, or a problem that was found (`verify`,
 * `doctor`); 2 for a usage error or an invalid configuration. The response goes to standard output. Every failure is one
 * sentence on standard error, never a stack trace.
 */
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import type { CommandContext } from './command-context.ts';
import type { CommandHost } from './command-host.ts';
import { CommandFailure, forTerminal } from './command-output.ts';
import { addAuditCommands } from './commands/books/audit.ts';
import { addEventCommands } from './commands/books/event.ts';
import { addLedgerCommands } from './commands/books/ledger.ts';
import { addConformCommand } from './commands/developer/conform.ts';
import { addListenCommand, addTriggerCommand } from './commands/developer/listen.ts';
import { addSandboxCommands } from './commands/developer/sandbox.ts';
import { addSignatureCommands } from './commands/developer/signature.ts';
import { addFundingCommands } from './commands/merchants/funds.ts';
import { addKeyCommands } from './commands/merchants/key.ts';
import { addMerchantCommands } from './commands/merchants/merchant.ts';
import { addStatementCommands } from './commands/merchants/statement.ts';
import { addBackupCommands, addRestoreCommand } from './commands/operate/backup.ts';
import { addDoctorCommand } from './commands/operate/doctor.ts';
import { addMigrateCommand } from './commands/operate/migrate.ts';
import { addProcessCommands } from './commands/operate/process.ts';
import { addServeCommand } from './commands/operate/serve.ts';
import { addTopCommand } from './commands/operate/top.ts';
import { addVaultCommands } from './commands/operate/vault.ts';
import { addVerifyCommand } from './commands/operate/verify.ts';
import { addBatchCommands } from './commands/payments/batch.ts';
import { addCallbackCommands } from './commands/payments/callback.ts';
import { addDepositCommands } from './commands/payments/deposit.ts';
import { addFindCommand } from './commands/payments/find.ts';
import { addPayoutCommands } from './commands/payments/payout.ts';
import { addQueueCommands } from './commands/payments/queue.ts';
import { addRequestCommands } from './commands/payments/request.ts';
import { addPersonCommands } from './commands/people/person.ts';
import { addTokenCommands } from './commands/people/token.ts';
import { addRecoveryCommands } from './commands/rails/after-restore.ts';
import { addDifferenceCommands } from './commands/rails/difference.ts';
import { addPauseCommands } from './commands/rails/pause.ts';
import { addRailCommands } from './commands/rails/rail.ts';
import { addReconcileCommand } from './commands/rails/reconcile.ts';
import { addRouteCommands } from './commands/rails/route.ts';

type ExitCode = 0 | 1 | 2;

const COMMANDS: readonly ((program: Command, context: CommandContext) => void)[] = [
  addServeCommand,
  addMigrateCommand,
  addMerchantCommands,
  addKeyCommands,
  addFundingCommands,
  addLedgerCommands,
  addStatementCommands,
  addBatchCommands,
  addPayoutCommands,
  addDepositCommands,
  addFindCommand,
  addPauseCommands,
  addCallbackCommands,
  addRequestCommands,
  addSignatureCommands,
  addConformCommand,
  addListenCommand,
  addTriggerCommand,
  addSandboxCommands,
  addRailCommands,
  addProcessCommands,
  addQueueCommands,
  addTopCommand,
  addRouteCommands,
  addReconcileCommand,
  addDifferenceCommands,
  addBackupCommands,
  addRestoreCommand,
  addRecoveryCommands,
  addTokenCommands,
  addPersonCommands,
  addAuditCommands,
  addEventCommands,
  addVaultCommands,
  addVerifyCommand,
  addDoctorCommand,
];

const GLOBAL_OPTIONS = 'Most commands also accept the options of "gateway --help", such as --url and --as.';
const EXIT_CODES =
  'Exit codes: 0 success; 1 rejected, failed, or a problem was found; 2 invalid usage or configuration.';

/** `commandLine` contains the words after the program's name. */
export async function runCommandLine(commandLine: readonly string[], given: CommandHost): Promise<ExitCode> {
  // Messages may quote a provider, a receiver or a merchant.
  const host: CommandHost = { ...given, stderr: (text) => given.stderr(forTerminal(text)) };
  const context: CommandContext = { host, exitCode: 0 };
  const program = createProgram(context);
  try {
    if (commandLine[0] === '--version') {
      host.stdout(`${await host.version()}\n`);
      return 0;
    }
    await program.parseAsync([...commandLine], { from: 'user' });
    return context.exitCode;
  } catch (error) {
    return reportFailure(error, host);
  }
}

function createProgram(context: CommandContext): Command {
  const program = new Command('gateway')
    .description('A self-hosted payment gateway.')
    .option('--json', 'print one JSON document on standard output')
    .option('--csv', 'print a list as CSV')
    .option('--url <url>', 'the management API of a running gateway; without it, the command opens the database itself')
    .option('--token-file <path>', 'with --url: the file that contains the API token; by default GATEWAY_TOKEN_FILE')
    .option('--as <name>', 'without --url: the acting user, if several people share this system user')
    .option('--version', 'print the version of the gateway and of its schema')
    .addHelpText('after', `\n${EXIT_CODES}`)
    .addHelpText('afterAll', ({ command }) => (command.parent ? `\n${GLOBAL_OPTIONS}` : ''));
  for (const addCommands of COMMANDS) addCommands(program, context);
  for (const command of everyCommand(program)) {
    command.exitOverride().configureOutput({
      writeOut: context.host.stdout,
      writeErr: context.host.stderr,
      outputError: (text, write) => write(asSentence(text, command)),
    });
  }
  return program;
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

/** Returns the parser's message as one sentence, with the command that prints the help. */
function asSentence(text: string, command: Command): string {
  const message = text
    .replace(/^error: (?:command-argument value )?/, '')
    .trim()
    .replace(/\.$/, '')
    .replace(/\n/g, ' ');
  return `${message} (see: ${fullName(command)} --help)\n`;
}

function fullName(command: Command): string {
  return command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name();
}

function reportFailure(error: unknown, host: CommandHost): ExitCode {
  if (error instanceof InvalidArgumentError) {
    host.stderr(`${error.message}\n`);
    return 2;
  }
  // The parser has already printed the message. A request for help is not a failure.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof CommandFailure) {
    host.stderr(`${error.message}\n`);
    return error.exitCode;
  }
  host.stderr(`${host.explain(error) ?? unexplained(error)}\n`);
  return 1;
}

function unexplained(error: unknown): string {
  return `Internal error. Report it with the log: ${error instanceof Error ? error.message : String(error)}`;
}
