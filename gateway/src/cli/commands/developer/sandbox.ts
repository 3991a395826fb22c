/** `gateway sandbox`: a merchant moves the time of their sandbox world, resets it, or triggers actions of its banks. */
import { type Command, InvalidArgumentError } from 'commander';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../foundation/clock.ts';
import { addCommand, addGroup, type CommandContext, offlineActionOf } from '../../command-context.ts';
import { CommandFailure } from '../../command-output.ts';
import { collectSettings, readAddress } from '../../read-arguments.ts';
import { readKeyFile } from '../../read-key-file.ts';

interface SandboxOptions {
  readonly at: URL;
  readonly keyFile: string;
}

const UNITS: Readonly<Record<string, number>> = { second: SECOND_MS, minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };
const DEFAULT_ADDRESS = new URL('http://127.0.0.1:8095');

type Answer = Readonly<Record<string, unknown>>;

export function addSandboxCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'sandbox', 'move the time of a sandbox world, and trigger its simulated banks');
  const command = (name: string, summary: string) =>
    addCommand(group, name, summary)
      .requiredOption('--key-file <path>', 'a file with the API key of the sandbox')
      .option('--at <url>', 'the sandbox', readAddress, DEFAULT_ADDRESS);
  const send = async (merchantId: string, { at, keyFile }: SandboxOptions, order: object): Promise<Answer> =>
    context.host.orderSandbox({ url: at, merchantId, key: await readKeyFile(keyFile), order });

  command('state <merchant>', 'show the time of a world, its balances and its broken invariants').action(
    offlineActionOf(context, async (merchantId: string, options: SandboxOptions) =>
      stateOutput(await send(merchantId, options, { sandbox_order: 'state' })),
    ),
  );
  command(
    'advance <merchant> <count> <unit>',
    'advance the clock of a world by seconds, minutes, hours or days',
  ).action(
    offlineActionOf(context, async (merchantId: string, count: string, unit: string, options: SandboxOptions) =>
      stateOutput(await send(merchantId, options, { sandbox_order: 'advance', ms: readDuration(count, unit) })),
    ),
  );
  command('reset <merchant>', 'delete all data of a world and restart its clock; the keys stay').action(
    offlineActionOf(context, async (merchantId: string, options: SandboxOptions) =>
      stateOutput(await send(merchantId, options, { sandbox_order: 'reset' })),
    ),
  );
  command(
    'bank <merchant> <bank> <act> [fields]',
    'trigger an action of a simulated bank, with its fields as JSON',
  ).action(
    offlineActionOf(
      context,
      async (merchantId: string, bank: string, act: string, fields: string | undefined, options: SandboxOptions) => {
        const body = fields === undefined ? {} : { body: readJson(fields) };
        const { answer } = await send(merchantId, options, { sandbox_order: 'bank', bank, path: act, ...body });
        return { json: { answer }, human: JSON.stringify(answer, null, 2) };
      },
    ),
  );
  command('addresses <merchant>', 'set the addresses and settings of the merchant in a world')
    .option('--process-url <url>', 'the receiver of callbacks')
    .option('--event-url <url>', 'the receiver of events')
    .option('--success-url <url>', 'the page for a payer who paid')
    .option('--fail-url <url>', 'the page for a payer who did not pay')
    .option('--set <name=value>', 'change a setting; can be repeated', collectSettings)
    .action(
      offlineActionOf(context, async (merchantId: string, { at, keyFile, ...profile }: SandboxOptions) => {
        const { json: _json, set: settings, ...addresses } = profile as Answer;
        const order = { sandbox_order: 'addresses', ...addresses, ...(settings ? { settings } : {}) };
        const set = await send(merchantId, { at, keyFile }, order);
        return {
          json: set,
          human: Object.entries(set)
            .map(([name, url]) => `${name}: ${url}`)
            .join('\n'),
        };
      }),
    );
}

function readDuration(count: string, unit: string): number {
  const unitMs = UNITS[unit.replace(/s$/, '')];
  if (!/^\d{1,6}$/.test(count) || unitMs === undefined)
    throw new CommandFailure('Pass a number and a unit, such as "3 days". Units: seconds, minutes, hours, days.', 2);
  return Number(count) * unitMs;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('fields accepts a JSON object.');
  }
}

function stateOutput(state: Answer) {
  const balances = state['balances'] as readonly Readonly<Record<string, string>>[];
  const broken = state['broken'] as readonly string[];
  const lines = [
    `World of ${state['merchant']}: ${state['now']} UTC${state['seed'] === null ? '' : `, seed ${state['seed']}`}`,
    ...balances.map(
      ({ currency, available, reserved }) => `  ${currency} ${available} available, ${reserved} reserved`,
    ),
    broken.length === 0 ? 'The books balance.' : `Broken invariants: ${broken.join(', ')}`,
  ];
  return { json: state, human: lines.join('\n'), exitCode: broken.length === 0 ? (0 as const) : (1 as const) };
}
