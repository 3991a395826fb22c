/** `gateway find …`: payments by whatever a person has of them. */
import type { Command } from 'commander';
import type { FoundList } from '../../domain/lists/find-kinds.ts';
import type { Found } from '../../domain/lists/find-payments.ts';
import { actionOf, addCommand, type CommandContext } from '../command-context.ts';
import { formatSection } from '../command-output.ts';
import { depositJson, depositTable, heldJson, heldTable } from '../deposit-texts.ts';
import { payoutJson, payoutTable } from '../payout-texts.ts';
import { paymentJson, paymentTable } from './deposit-lists.ts';

const LISTS: readonly FoundList[] = ['payouts', 'deposits', 'payments', 'transfers'];

export function addFindCommand(program: Command, context: CommandContext): void {
  addCommand(
    program,
    'find',
    'find payments by a number, an id, a reference, a CLABE, four digits, or an amount and day',
  )
    .argument('<anything...>', 'such as 1054, A17, 646180499000000005, or 340.00 2026-11-20')
    .option('--merchant <merchant>', 'only this merchant')
    .action(
      actionOf(context, async (open, words: readonly string[], { merchant = null }: { merchant?: string | null }) => {
        const found = await (await open()).find({ text: words.join(' ').trim(), merchantId: merchant, lists: LISTS });
        const sections = found.map((each) => formatSection(`${each.list} (${each.kind})`, tableOf(each)));
        return {
          json: found.map((each) => ({ list: each.list, matched: each.kind, items: jsonOf(each) })),
          human: sections.length > 0 ? sections.join('\n\n') : 'Nothing of that is known.',
        };
      }),
    );
}

function tableOf({ list, items, next }: Found): string {
  const more = next === null ? '' : '\n… the search ended early: use the list with this filter and a period';
  switch (list) {
    case 'payouts':
      return payoutTable(items) + more;
    case 'deposits':
      return depositTable(items) + more;
    case 'payments':
      return paymentTable(items) + more;
    case 'transfers':
      return heldTable(items) + more;
    default:
      return '';
  }
}

function jsonOf({ list, items }: Found): readonly unknown[] {
  switch (list) {
    case 'payouts':
      return items.map(payoutJson);
    case 'deposits':
      return items.map(depositJson);
    case 'payments':
      return items.map(paymentJson);
    case 'transfers':
      return items.map(heldJson);
    default:
      return [];
  }
}
