/** `gateway callback …`. */
import type { Command } from 'commander';
import { CALLBACK_STATES } from '../../domain/callbacks/callback.ts';
import type { Instant } from '../../foundation/clock.ts';
import { callbackJson, callbackRecordJson, callbackRecordText, callbackTable } from '../callback-texts.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../command-context.ts';
import { CommandFailure } from '../command-output.ts';
import { readOneOf, readTime } from '../read-arguments.ts';
import { resendFailure } from '../refusals.ts';
import { addListCommand, type ListCommand } from './list-command.ts';

const CALLBACK_LIST: ListCommand<'callbacks'> = {
  list: 'callbacks',
  summary: 'list callbacks, newest first',
  options: [
    { filter: 'state', flags: '--state <state>', help: CALLBACK_STATES.join(', '), read: readOneOf(CALLBACK_STATES) },
    { filter: 'subjectId', flags: '--about <id>', help: 'only this payout or order' },
  ],
  json: callbackJson,
  table: callbackTable,
};

interface ResendOptions {
  readonly undelivered?: boolean;
  readonly since?: Instant;
}

const LONG_AGO: Instant = 0;

export function addCallbackCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'callback', 'list, show and resend callbacks');
  addListCommand(group, context, 'list', CALLBACK_LIST);
  addCommand(group, 'show <merchant> <callback_id>', 'show a callback with every delivery attempt').action(
    actionOf(context, async (open, merchantId: string, callbackId: string) => {
      const found = await (await open()).callbacks.find({ merchantId, callbackId });
      if (!found) throw new CommandFailure(`Merchant "${merchantId}" has no callback "${callbackId}"`);
      return { json: callbackRecordJson(found), human: callbackRecordText(found) };
    }),
  );
  addResend(group, context);
}

function addResend(group: Command, context: CommandContext): void {
  addCommand(
    group,
    'resend <merchant> [callback_id]',
    'resend one callback, or all that the gateway stopped delivering',
  )
    .option('--undelivered', 'resend all undelivered callbacks of the merchant')
    .option('--since <time>', 'with --undelivered: only callbacks created at or after this time (UTC)', readTime)
    .action(
      actionOf(context, async (open, merchantId: string, callbackId: string | undefined, options: ResendOptions) => {
        if ((callbackId === undefined) === !options.undelivered) {
          throw new CommandFailure('Name either a callback id or --undelivered', 2);
        }
        const { resend } = (await open()).callbacks;
        if (callbackId === undefined) {
          const resent = await resend.undelivered(merchantId, options.since ?? LONG_AGO);
          if (!resent.ok) throw resendFailure(resent.error);
          return {
            json: { merchant: merchantId, resent: resent.value },
            human: `✓ ${resent.value} callbacks of ${merchantId} are due now.`,
          };
        }
        const sent = await resend.one({ merchantId, callbackId });
        if (!sent.ok) throw resendFailure(sent.error);
        return {
          json: { merchant: merchantId, callback_id: callbackId, resent: 1, was: sent.value },
          human: `✓ Callback ${callbackId} is due now (it was ${sent.value}).`,
        };
      }),
    );
}
