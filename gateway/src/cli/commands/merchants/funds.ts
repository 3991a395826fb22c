/** `gateway credit` and `gateway debit`: post the operator's money to the ledger. */
import type { Command } from 'commander';
import type { Currency } from '../../../foundation/currency.ts';
import { formatAmount } from '../../../foundation/money.ts';
import { actionOf, addCommand, type CommandContext } from '../../command-context.ts';
import { readAmount, readCurrency } from '../../read-arguments.ts';

interface FundingOptions {
  readonly reference: string;
  readonly reason: string;
}

export function addFundingCommands(program: Command, context: CommandContext): void {
  addFunding(program, context, 'credit', 'add money to a merchant’s available balance');
  addFunding(program, context, 'debit', 'remove money from a merchant’s available balance');
}

function addFunding(program: Command, context: CommandContext, direction: 'credit' | 'debit', summary: string): void {
  addCommand(program, direction, summary)
    .argument('<merchant>')
    .argument('<currency>', 'such as EUR', readCurrency)
    .argument('<amount>', 'such as 100.00')
    .requiredOption('--reference <unique>', 'your unique id for this posting; a repeated id has no effect')
    .requiredOption('--reason <text>', 'the reason, which the ledger records')
    .action(
      actionOf(
        context,
        async (call, merchantId: string, currency: Currency, amount: string, { reference, reason }: FundingOptions) => {
          const given = formatAmount(readAmount(amount, currency));
          const body = { amount: given, currency, reference, reason };
          const done = await call(`funds.${direction}`, { params: { merchantId }, body });
          const { available } = done.balance;
          const moved = `${given} ${currency} ${direction === 'credit' ? 'credited to' : 'debited from'} ${merchantId}`;
          return {
            json: done,
            human: `${done.posted ? `✓ ${moved}` : `✓ ${reference} was already posted; nothing moved`}; available ${available} ${currency}.`,
          };
        },
      ),
    );
}
