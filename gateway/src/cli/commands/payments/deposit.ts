/** `gateway deposit …`. */
import type { Command } from 'commander';
import type { TransferId } from '../../../domain/deposits/deposit.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../../command-context.ts';
import { CommandFailure } from '../../command-output.ts';
import { readTransactionId, readTransferId, readWholeNumber } from '../../read-arguments.ts';
import { depositRecordText, heldTable } from '../../texts/deposit-texts.ts';
import { overduePaymentTable } from '../../texts/overdue-texts.ts';
import { addDepositLists } from './deposit-lists.ts';

interface ResolveOptions {
  readonly merchant?: string;
  readonly order?: string;
  readonly reason: string;
}

export function addDepositCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'deposit', 'show deposits, resolve held money, and return or refund money');
  addDepositLists(group, context);
  addCommand(group, 'show <merchant> <order>', 'show a deposit, why it is pending, and its history').action(
    actionOf(context, async (call, merchantId: string, orderId: string) => {
      const json = await call('deposits.show', { params: { merchantId, orderId } });
      return { json, human: depositRecordText(json) };
    }),
  );
  addCommand(group, 'held', 'list money that waits for a decision, oldest first')
    .option('--limit <count>', 'the maximum number of rows', readWholeNumber(1, 100), 50)
    .action(
      actionOf(context, async (call, { limit }: { limit: number }) => {
        const { items } = await call('transfers.held', { query: { limit } });
        return { json: items, human: heldTable(items) };
      }),
    );
  addCommand(
    group,
    'overdue',
    'list payment attempts in flight past their deadline. End an attempt with "deposit end-attempt"',
  )
    .option('--limit <count>', 'the maximum number of rows', readWholeNumber(1, 100), 50)
    .action(
      actionOf(context, async (call, { limit }: { limit: number }) => {
        const { items } = await call('deposits.overdue', { query: { limit } });
        return { json: items, human: overduePaymentTable(items) };
      }),
    );
  addResolve(group, context);
  addReturn(group, context);
  addRefund(group, context);
  addEndAttempts(group, context);
}

function addResolve(group: Command, context: CommandContext): void {
  addCommand(group, 'resolve', 'credit held money to its deposit, or to the deposit that you pass')
    .argument('<transfer>', 'as "deposit held" prints it', readTransferId)
    .option('--merchant <merchant>', 'with --order: the merchant of the intended deposit')
    .option('--order <order>', 'with --merchant: the order of the intended deposit')
    .requiredOption('--reason <text>', 'the reason; the history shows it')
    .action(
      actionOf(context, async (call, id: TransferId, { merchant, order, reason }: ResolveOptions) => {
        if ((merchant === undefined) !== (order === undefined)) {
          throw new CommandFailure('Pass --merchant and --order together', 2);
        }
        const to =
          merchant === undefined || order === undefined ? {} : { to: { merchantId: merchant, orderId: order } };
        const json = await call('transfers.resolve', { params: id, body: { ...to, reason } });
        const { orderId, merchantId, state } = json;
        return {
          json,
          human: `✓ Credited the money to ${merchantId} for the order ${orderId}. The deposit is ${state}.`,
        };
      }),
    );
}

function addReturn(group: Command, context: CommandContext): void {
  addCommand(group, 'return', 'send held money back to its originator')
    .argument('<transfer>', 'as "deposit held" prints it', readTransferId)
    .requiredOption('--reason <text>', 'the reason; the history shows it')
    .action(
      actionOf(context, async (call, id: TransferId, { reason }: { reason: string }) => {
        const json = await call('transfers.return', { params: id, body: { reason } });
        const { merchantId, payoutId } = json;
        return {
          json,
          human: `✓ Queued the return. Follow it: gateway payout show ${merchantId} ${payoutId}`,
        };
      }),
    );
}

interface RefundOptions {
  readonly amount?: string;
  readonly reason: string;
}

function addRefund(group: Command, context: CommandContext): void {
  addCommand(group, 'refund', 'refund a form payment to its payer, through the rail of the payment')
    .argument('<merchant>')
    .argument('<transaction>', 'the transaction number that "deposit show" prints', readTransactionId)
    .option('--amount <amount>', 'the amount; defaults to the rest of the payment')
    .requiredOption('--reason <text>', 'the reason; the history shows it')
    .action(
      actionOf(context, async (call, merchantId: string, transactionId: number, { amount, reason }: RefundOptions) => {
        const body = { ...(amount && { amount }), reason };
        const json = await call('deposits.refund', { params: { merchantId, transactionId }, body });
        return {
          json,
          human: `✓ Queued the refund of ${json.amount} ${json.currency}. Follow it: gateway payout show ${merchantId} ${json.payoutId}`,
        };
      }),
    );
}

function addEndAttempts(group: Command, context: CommandContext): void {
  addCommand(group, 'end-attempt', 'fail a payment attempt after its provider confirmed that it was not paid')
    .argument('<merchant>')
    .argument('<transaction>', 'the transaction number that "deposit show" prints', readTransactionId)
    .requiredOption('--reason <text>', 'the provider’s confirmation and its source; the history shows it')
    .action(
      actionOf(context, async (call, merchantId: string, transactionId: number, { reason }: { reason: string }) => {
        const json = await call('deposits.endAttempts', { params: { merchantId, transactionId }, body: { reason } });
        const names = json.ended.map(({ rail, reference }) => `${rail}/${reference}`);
        return {
          json,
          human: `✓ Ended as refused: ${names.join(', ')}. If money still arrives, the gateway treats it as a late payment.`,
        };
      }),
    );
}
