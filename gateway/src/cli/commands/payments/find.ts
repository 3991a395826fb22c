/** `gateway find …`: finds payments by any identifier or detail. */
import type { Command } from 'commander';
import type { Endpoints } from '../../../../contract/endpoints.ts';
import type { AnswerOf } from '../../../../contract/parts/endpoint.ts';
import { actionOf, addCommand, type CommandContext } from '../../command-context.ts';
import { formatRecords, formatTable, humanIsoTime } from '../../command-output.ts';

type Found = AnswerOf<Endpoints['payments.find']>;

export function addFindCommand(program: Command, context: CommandContext): void {
  addCommand(
    program,
    'find',
    'find payments by a number, an id, a reference, a CLABE, an email address, four digits, or an amount and day',
  )
    .argument('<anything...>', 'such as 1054, A17, 646180499000000005, or 340.00 2026-11-20')
    .option('--merchant <merchant>', 'search only this merchant')
    .action(
      actionOf(context, async (call, words: readonly string[], { merchant }: { merchant?: string }) => {
        const of = merchant === undefined ? {} : { merchantId: merchant };
        const json = await call('payments.find', { query: { q: words.join(' ').trim(), ...of } });
        return { json, human: foundText(json), csv: formatRecords(json.items) };
      }),
    );
}

function foundText({ items, more }: Found): string {
  const rows = items.map((item) => [
    item.list,
    item.matched,
    item.merchantId,
    item.id,
    String(item.transactionId ?? ''),
    `${item.amount} ${item.currency}`,
    item.state,
    item.rail,
    item.shown,
    humanIsoTime(item.at),
  ]);
  const header = ['IN', 'MATCHED', 'MERCHANT', 'ID', 'TRANSACTION', 'AMOUNT', 'STATE', 'RAIL', 'ACCOUNT', 'AT'];
  const table = formatTable(header, rows, 'Nothing matches.');
  const ended = more.map(
    ({ list }) => `\n… the search in ${list} stopped early: use the list with this filter and a period`,
  );
  return table + [...new Set(ended)].join('');
}
