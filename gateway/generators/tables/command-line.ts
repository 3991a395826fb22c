/** The help of the command line: every command with its arguments and options, read from `--help`. */
import type { CommandHost } from '../../src/cli/command-host.ts';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import { systemClock } from '../../src/foundation/clock.ts';

interface CommandHelp {
  /** The command without the program's name, such as `payout show`. */
  readonly name: string;
  /** The parameters, such as `<merchant> <payout_id>`. */
  readonly parameters: string;
  readonly summary: string;
  readonly options: readonly { readonly flags: string; readonly meaning: string }[];
}

/** Resolves to the output and exit code of `gateway …` without access to a gateway, server, file or sandbox. */
async function runAlone(words: readonly string[]): Promise<{ readonly printed: string; readonly exitCode: number }> {
  const printed: string[] = [];
  const unreachable = (): never => {
    throw new Error('Nothing is in reach');
  };
  const never = async () => unreachable();
  const host: CommandHost = {
    open: never,
    serve: never,
    migrate: never,
    version: never,
    examineInstallation: never,
    untilStopSignal: never,
    playReceiver: never,
    deliverSigned: never,
    orderSandbox: never,
    backups: unreachable,
    examineRequest: () => [],
    clock: systemClock,
    explain: () => undefined,
    stdout: (text) => printed.push(text),
    stderr: (text) => printed.push(text),
  };
  const exitCode = await runCommandLine(words, host);
  return { printed: printed.join(''), exitCode };
}

/** Resolves to the output of `gateway … --help`. */
export async function helpOf(words: readonly string[]): Promise<string> {
  return (await runAlone([...words, '--help'])).printed;
}

/** Resolves to the usage error for these words, or to an empty string. */
export async function usageFaultOf(words: readonly string[]): Promise<string> {
  const { printed, exitCode } = await runAlone(words);
  return exitCode === 2 ? printed.trim() : '';
}

/** Returns the `term  text` lines of one section, with wrapped lines joined. */
function sectionOf(help: string, title: string): { term: string; text: string }[] {
  const [, body = ''] = new RegExp(`^${title}:\\n((?: +.*\\n?)*)`, 'm').exec(help) ?? [];
  const entries: { term: string; text: string }[] = [];
  for (const line of body.split('\n').filter((one) => one.trim() !== '')) {
    const [, term, text = ''] = /^ {2}(\S.*?)(?: {2,}(.*))?$/.exec(line) ?? [];
    const last = entries.at(-1);
    if (term !== undefined) entries.push({ term, text });
    else if (last) last.text = `${last.text} ${line.trim()}`.trim();
  }
  return entries;
}

/** Returns the options that every command accepts. */
export async function readGlobalOptions(): Promise<CommandHelp['options']> {
  return sectionOf(await helpOf([]), 'Options').map(({ term, text }) => ({ flags: term, meaning: text }));
}

/** Returns every executable command in the order of the help. */
export async function readCommands(words: readonly string[] = []): Promise<CommandHelp[]> {
  const help = await helpOf(words);
  const names = sectionOf(help, 'Commands').map(({ term }) => term.split(' ', 1)[0] ?? '');
  const inner = names.filter((name) => name !== 'help');
  if (inner.length > 0) return (await Promise.all(inner.map((name) => readCommands([...words, name])))).flat();
  const [, usage = '', summary = ''] = /^Usage: (.*)\n\n((?:.+\n)*)/.exec(help) ?? [];
  return [
    {
      name: words.join(' '),
      parameters: usage
        .replace(/^gateway /, '')
        .replace(words.join(' '), '')
        .replace('[options]', '')
        .trim(),
      summary: summary.trim().replaceAll('\n', ' '),
      options: sectionOf(help, 'Options').map(({ term, text }) => ({ flags: term, meaning: text })),
    },
  ];
}
