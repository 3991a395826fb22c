/** Shared by every command: opens a gateway on demand, prints the answer, closes the gateway. */
import { Command } from 'commander';
import type { GatewayOperations } from '../domain/management/gateway-operations.ts';
import type { CommandHost } from './command-host.ts';
import { type CommandOutput, formatJson } from './command-output.ts';

/** Opens the gateway at the first call, so that a command can reject its arguments before anything starts. */
export type OpenGateway = () => Promise<GatewayOperations>;

export interface CommandContext {
  readonly host: CommandHost;
  /** Set by the command that ran. */
  exitCode: 0 | 1;
}

/** Adds a command named `name`, with its arguments, under `parent`. Every command has `--json`. */
export function addCommand(parent: Command, name: string, summary: string): Command {
  return parent.command(name).description(summary).option('--json', 'print one JSON document');
}

/** Adds a name that only groups commands. */
export function addGroup(parent: Command, name: string, summary: string): Command {
  return parent.command(name).description(summary);
}

/** Turns `work` into a commander action. The action passes it the gateway and the command's arguments and options. */
export function actionOf<Arguments extends readonly unknown[]>(
  context: CommandContext,
  work: (open: OpenGateway, ...values: Arguments) => Promise<CommandOutput>,
): (...values: readonly unknown[]) => Promise<void> {
  return async (...values) => {
    const command = values.at(-1);
    const asJson = command instanceof Command && command.optsWithGlobals<{ json?: boolean }>().json === true;
    let opened: ReturnType<CommandHost['open']> | undefined;
    const open = async () => {
      opened ??= context.host.open();
      return (await opened).operations;
    };
    try {
      const output = await work(open, ...(values as unknown as Arguments));
      context.host.stdout(`${asJson ? formatJson(output.json) : output.human}\n`);
      context.exitCode = output.exitCode ?? 0;
    } finally {
      const gateway = await opened?.catch(() => undefined);
      await gateway?.close();
    }
  };
}
