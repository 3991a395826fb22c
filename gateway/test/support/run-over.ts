/** The command line over a gateway with only the parts that a test needs. */
import type { CommandHost } from '../../src/cli/command-host.ts';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import type { GatewayOperations } from '../../src/domain/management/gateway-operations.ts';

export type Deep<Shape> = {
  readonly [Name in keyof Shape]?: Shape[Name] extends (...call: never[]) => unknown ? Shape[Name] : Deep<Shape[Name]>;
};

/** Runs one command line; words in single quotes are one argument. */
export async function runOver(
  commandLine: string,
  operations: Deep<GatewayOperations> = {},
  over: Partial<CommandHost> = {},
) {
  const result = { stdout: '', stderr: '', opened: 0, closed: 0, exitCode: 0 };
  const close = async () => {
    result.closed += 1;
  };
  const host: CommandHost = {
    open: async () => {
      result.opened += 1;
      return { operations: operations as GatewayOperations, close };
    },
    serve: async () => 0,
    migrate: async () => ({ applied: [], distributed: [] }),
    version: async () => '',
    diagnose: async () => [],
    explain: () => undefined,
    stdout: (text) => {
      result.stdout += text;
    },
    stderr: (text) => {
      result.stderr += text;
    },
    ...over,
  };
  const words = commandLine.match(/'[^']*'|\S+/g) ?? [];
  result.exitCode = await runCommandLine(
    words.map((word) => word.replace(/^'(.*)'$/, '$1')),
    host,
  );
  return result;
}
