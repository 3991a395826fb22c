/** `gateway payout methods` and `gateway payout create`. Fields come from a file or standard input, never from arguments. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { actionOf, addCommand, type CommandContext } from '../../command-context.ts';
import { CommandFailure, formatTable, unreadableText } from '../../command-output.ts';
import { readWholeNumber } from '../../read-arguments.ts';

interface CreateOptions {
  readonly fields: string;
  readonly id?: string;
  readonly reason?: string;
  readonly dryRun?: boolean;
}

const readMethod = readWholeNumber(1, 999);

export function addNewPayoutCommands(group: Command, context: CommandContext): void {
  addCommand(group, 'methods <merchant>', 'list the payout methods with their fields').action(
    actionOf(context, async (call, merchantId: string) => {
      const { items } = await call('payouts.methods', { params: { merchantId } });
      const rows = items.map(({ method, name, currency, fields }) => {
        const names = fields.map((field) => (field.mandatory ? field.name : `[${field.name}]`));
        return [String(method), name, currency, names.join(' ')];
      });
      return { json: items, human: formatTable(['METHOD', 'NAME', 'CURRENCY', 'FIELDS'], rows, 'No methods.') };
    }),
  );
  addCommand(group, 'create <merchant> <method>', 'create a payout by the same checks as payout_send')
    .requiredOption('--fields <file>', 'a file with a JSON object of the fields; - reads standard input')
    .option('--id <payout_id>', 'the merchant’s id; by default the gateway generates one')
    .option('--reason <text>', 'the reason; the audit log keeps it')
    .option('--dry-run', 'change nothing, and show what would happen')
    .action(
      actionOf(context, async (call, merchantId: string, method: string, options: CreateOptions) => {
        const { id, reason, dryRun = false } = options;
        const body = {
          method: readMethod(method),
          fields: await readFields(options.fields),
          ...(id === undefined ? {} : { payoutId: id }),
          ...(reason === undefined ? {} : { reason }),
        };
        const query = dryRun ? { dryRun } : {};
        const json = await call('payouts.create', { params: { merchantId }, query, body });
        if (dryRun) return { json, human: JSON.stringify(json, undefined, 2) };
        const next = json.isAwaitingApproval ? 'is waiting for another person’s approval' : `is ${json.state}`;
        return { json, human: `✓ Created payout ${json.payoutId} of ${json.amount} ${json.currency}. It ${next}.` };
      }),
    );
}

/** Arguments show in the list of processes and in the history of the shell, so a card number must not be one. */
async function readFields(file: string): Promise<Record<string, string>> {
  const content = await (file === '-' ? text(process.stdin) : readFile(file, 'utf8')).catch((error: unknown) => {
    throw new CommandFailure(`${unreadableText(file, error)} Check --fields.`);
  });
  const fields = parse(content);
  if (fields === undefined) throw new CommandFailure('--fields must be a JSON object whose values are texts');
  return fields;
}

function parse(content: string): Record<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(content);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isObject || Object.values(value).some((each) => typeof each !== 'string')) return undefined;
    return value as Record<string, string>;
  } catch {
    return undefined;
  }
}
