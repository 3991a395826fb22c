/** Shared by all commands: opens a gateway on demand, prints the response and closes the gateway. */
import { Command } from 'commander';
import type { CommandHost, GlobalOptions, OpenedGateway } from './command-host.ts';
import { type CommandOutput, formatJson, formatRecords, forTerminal } from './command-output.ts';
import { type CallApi, createCallApi } from './manage-api.ts';

export interface CommandContext {
  readonly host: CommandHost;
  /** Set by the command that has run. */
  exitCode: 0 | 1;
}

/** Adds a command named `name`, with its arguments, under `parent`. Every command has `--json`. */
export function addCommand(parent: Command, name: string, summary: string): Command {
  return parent.command(name).description(summary).option('--json', 'print one JSON document');
}

/** Adds a command that only groups other commands. */
export function addGroup(parent: Command, name: string, summary: string): Command {
  return parent.command(name).description(summary);
}

/**
 * Wraps `work` as a commander action, which passes it the management API and the command's arguments and options. The gateway
 * opens at the first call, so that a command can reject its arguments before anything starts.
 */
export function actionOf<Arguments extends readonly unknown[]>(
  context: CommandContext,
  work: (call: CallApi, ...values: Arguments) => Promise<CommandOutput>,
): (...values: readonly unknown[]) => Promise<void> {
  return runOf(context, (open, ...values) =>
    work(
      createCallApi(async () => (await open()).api),
      ...(values as never),
    ),
  );
}

/** Like `actionOf`, for a command that does not need a gateway. */
export function offlineActionOf<Arguments extends readonly unknown[]>(
  context: CommandContext,
  work: (...values: Arguments) => Promise<CommandOutput>,
): (...values: readonly unknown[]) => Promise<void> {
  return runOf(context, (_open, ...values) => work(...(values as never)));
}

function humanOf({ json, human, csv }: CommandOutput, { csv: isCsv = false }: GlobalOptions): string {
  if (!isCsv) return forTerminal(human);
  if (csv !== undefined) return csv;
  return Array.isArray(json) ? formatRecords(json) : forTerminal(human);
}

function runOf(
  context: CommandContext,
  work: (open: () => Promise<OpenedGateway>, ...values: readonly unknown[]) => Promise<CommandOutput>,
): (...values: readonly unknown[]) => Promise<void> {
  return async (...values) => {
    const command = values.at(-1);
    const globals = command instanceof Command ? command.optsWithGlobals<GlobalOptions>() : {};
    const asJson = globals.json === true;
    let opened: Promise<OpenedGateway> | undefined;
    const open = () => {
      opened ??= context.host.open(globals);
      return opened;
    };
    try {
      const output = await work(open, ...values);
      context.host.stdout(`${asJson ? formatJson(output.json) : humanOf(output, globals)}\n`);
      context.exitCode = output.exitCode ?? 0;
    } finally {
      const gateway = await opened?.catch(() => undefined);
      await gateway?.close();
    }
  };
}
