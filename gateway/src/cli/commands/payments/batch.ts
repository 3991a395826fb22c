/** `gateway batch …`. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import type { Batch, BatchRow, CountedBatch } from '../../../../contract/endpoints/batches.ts';
import { ROW_STATES, type RowState } from '../../../domain/batches/batch.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../../command-context.ts';
import { CommandFailure, formatTable, unreadableText } from '../../command-output.ts';
import { readOneOf, readWholeNumber } from '../../read-arguments.ts';

export function addBatchCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'batch', 'upload, show, submit and cancel files of payouts');
  addUpload(group, context);
  addCommand(group, 'list <merchant>', 'list the batches of a merchant, newest first')
    .option('--limit <count>', 'the maximum number of rows', readWholeNumber(1, 100), 50)
    .action(
      actionOf(context, async (call, merchantId: string, { limit }: { limit: number }) => {
        const { items } = await call('batches.list', { params: { merchantId }, query: { limit } });
        const rows = items.map(({ batchId, name, state, rows: count, createdAt }) => [
          createdAt,
          batchId,
          name,
          state,
          String(count),
        ]);
        return { json: items, human: formatTable(['CREATED', 'BATCH', 'NAME', 'STATE', 'ROWS'], rows, 'No batches.') };
      }),
    );
  addCommand(group, 'show <merchant> <batch_id>', 'show a batch with its totals and the rows in each state').action(
    actionOf(context, async (call, merchantId: string, batchId: string) => {
      const json = await call('batches.show', { params: { merchantId, batchId } });
      return { json, human: batchText(json) };
    }),
  );
  addCommand(group, 'rows <merchant> <batch_id>', 'list the rows of a batch with their errors')
    .option('--state <state>', ROW_STATES.join(', '), readOneOf(ROW_STATES))
    .action(
      actionOf(context, async (call, merchantId: string, batchId: string, { state }: { state?: RowState }) => {
        const items: BatchRow[] = [];
        let after: string | undefined;
        do {
          const query = { limit: 100, ...(state && { state }), ...(after && { after }) };
          const page = await call('batches.rows', { params: { merchantId, batchId }, query });
          items.push(...page.items);
          after = page.next ?? undefined;
        } while (after !== undefined);
        return { json: items, human: rowTable(items) };
      }),
    );
  addEnds(group, context);
}

function addUpload(group: Command, context: CommandContext): void {
  addCommand(group, 'upload <merchant> <file>', 'upload a CSV of payouts as a draft; the gateway then checks it')
    .option('--name <text>', 'the batch name; defaults to the file name')
    .action(
      actionOf(context, async (call, merchantId: string, file: string, { name }: { name?: string }) => {
        const content = await readFile(file).catch((error: unknown) => {
          throw new CommandFailure(unreadableText(file, error));
        });
        const body = { name: name ?? basename(file).slice(0, 100), file: content.toString('base64') };
        const json = await call('batches.upload', { params: { merchantId }, body });
        return {
          json,
          human: `✓ Uploaded batch ${json.batchId} with ${json.rows} rows. "batch show" shows its check.`,
        };
      }),
    );
}

function addEnds(group: Command, context: CommandContext): void {
  addCommand(group, 'submit <merchant> <batch_id>', 'submit a checked batch: each ready row becomes a payout')
    .option('--skip-faulty', 'skip the invalid rows')
    .option('--reason <text>', 'the reason, which the audit log records')
    .action(
      actionOf(
        context,
        async (call, merchantId: string, batchId: string, given: { skipFaulty?: boolean; reason?: string }) => {
          const { skipFaulty, reason } = given;
          const body = { ...(skipFaulty && { skipFaulty }), ...(reason !== undefined && { reason }) };
          const json = await call('batches.submit', { params: { merchantId, batchId }, body });
          return { json, human: `✓ Submitted batch ${batchId}: ${json.counts.ready} rows become payouts.` };
        },
      ),
    );
  addCommand(group, 'cancel <merchant> <batch_id>', 'cancel a draft, or the rows that are not yet accepted')
    .requiredOption('--reason <text>', 'the reason, which the audit log records')
    .action(
      actionOf(context, async (call, merchantId: string, batchId: string, { reason }: { reason: string }) => {
        const json = await call('batches.cancel', { params: { merchantId, batchId }, body: { reason } });
        return { json, human: `✓ Cancelled ${json.counts.cancelled} rows of batch ${batchId}.` };
      }),
    );
}

function batchText({ batchId, name, state, rows, totals, counts }: CountedBatch): string {
  const states = Object.entries(counts).flatMap(([each, count]) => (count > 0 ? [`${count} ${each}`] : []));
  const lines = totals.map(
    (total: Batch['totals'][number]) =>
      `  ${total.rows} rows, ${total.amount} ${total.currency} and ${total.fee} of fees; available after them: ${total.availableAfter}`,
  );
  return [`${batchId}  ${name}  ${state}  ${rows} rows: ${states.join(', ')}`, ...lines].join('\n');
}

function rowTable(items: readonly BatchRow[]): string {
  const rows = items.map(({ row, line, state, payoutState, payoutId, amount, currency, account, faults, warning }) => [
    String(row),
    String(line),
    payoutState === null ? state : `${state}, ${payoutState}`,
    payoutId ?? '',
    amount === null ? '' : `${amount} ${currency}`,
    account ?? '',
    [...faults.map(({ detail }) => detail), warning ?? ''].join(' ').trim(),
  ]);
  return formatTable(['ROW', 'LINE', 'STATE', 'PAYOUT', 'AMOUNT', 'ACCOUNT', 'REASON'], rows, 'No rows match.');
}
