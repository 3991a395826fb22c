/** `gateway callback …`. */
import type { Command } from 'commander';
import { CALLBACK_STATES, type CallbackState } from '../../domain/callbacks/callback.ts';
import type { Instant } from '../../foundation/clock.ts';
import { callbackJson, callbackRecordJson, callbackRecordText, callbackTable } from '../callback-texts.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../command-context.ts';
import { CommandFailure } from '../command-output.ts';
import { readOneOf, readTime, readWholeNumber } from '../read-arguments.ts';
import { resendFailure } from '../refusals.ts';

interface ListOptions {
  readonly merchant?: string;
  readonly state?: CallbackState;
  readonly since?: Instant;
  readonly limit: number;
}

interface ResendOptions {
  readonly undelivered?: boolean;
  readonly since?: Instant;
}

const LONG_AGO: Instant = 0;

export function addCallbackCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'callback', 'list, show and resend callbacks');
  addCommand(group, 'list', 'list callbacks, newest first')
    .option('--merchant <merchant>', 'only this merchant')
    .option('--state <state>', CALLBACK_STATES.join(', '), readOneOf(CALLBACK_STATES))
    .option('--since <time>', 'only callbacks created at or after this time (UTC)', readTime)
    .option('--limit <count>', 'the maximum number of rows', readWholeNumber(1, 10_000), 50)
    .action(
      actionOf(context, async (open, { merchant, state, since, limit }: ListOptions) => {
        const query = { merchantId: merchant ?? null, state: state ?? null, since: since ?? null, limit };
        const callbacks = await (await open()).callbacks.list(query);
        return { json: callbacks.map(callbackJson), human: callbackTable(callbacks) };
      }),
    );
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
