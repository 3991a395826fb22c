/** `gateway credit` and `gateway debit`: post the operator's money to the ledger. */
import type { Command } from 'commander';
import type { Currency } from '../../foundation/currency.ts';
import { formatAmount } from '../../foundation/money.ts';
import { actionOf, addCommand, type CommandContext } from '../command-context.ts';
import { balancesJson } from '../merchant-texts.ts';
import { readAmount, readCurrency } from '../read-arguments.ts';
import { fundingFailure } from '../refusals.ts';

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
    .requiredOption('--reference <unique>', 'your unique id of this posting; repeating it posts nothing')
    .requiredOption('--reason <text>', 'the reason; the ledger keeps it')
    .action(
      actionOf(
        context,
        async (open, merchantId: string, currency: Currency, amount: string, options: FundingOptions) => {
          const money = readAmount(amount, currency);
          const { reference, reason } = options;
          const done = await (await open()).moveFunds(direction, merchantId, money, reference, reason);
          if (!done.ok) throw fundingFailure(done.error, merchantId, reference);
          const { posted, balances } = done.value;
          const held = balancesJson(currency, balances);
          const moved = `${formatAmount(money)} ${currency} ${direction === 'credit' ? 'credited to' : 'debited from'} ${merchantId}`;
          return {
            json: {
              merchant: merchantId,
              currency,
              direction,
              amount: formatAmount(money),
              reference,
              posted,
              balances: held,
            },
            human: `${posted ? `✓ ${moved}` : `✓ ${reference} was already posted; nothing moved`}; available ${held.available} ${currency}.`,
          };
        },
      ),
    );
}
