/** `gateway callback …`. */
import type { Command } from 'commander';
import { CALLBACK_STATES, type CallbackSubject } from '../../../domain/callbacks/callback.ts';
import type { Instant } from '../../../foundation/clock.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../../command-context.ts';
import { CommandFailure, formatTable } from '../../command-output.ts';
import { readOneOf, readTime } from '../../read-arguments.ts';
import { callbackRecordText, callbackTable } from '../../texts/callback-texts.ts';
import { addListCommand, type ListCommand } from '../list-command.ts';

const CALLBACK_LIST: ListCommand<'callbacks'> = {
  list: 'callbacks',
  summary: 'list callbacks, newest first',
  options: [
    { filter: 'state', flags: '--state <state>', help: CALLBACK_STATES.join(', '), read: readOneOf(CALLBACK_STATES) },
    { filter: 'subject', flags: '--subject <kind>', help: 'payout, deposit or event' },
    { filter: 'subjectId', flags: '--about <id>', help: 'only callbacks of this payout or order' },
    { filter: 'callbackId', flags: '--callback <id>', help: 'only the callback with this webhook-id' },
  ],
  table: callbackTable,
};

const SUBJECTS = ['payout', 'deposit', 'event'] as const;

interface ResendOptions {
  readonly undelivered?: boolean;
  readonly since?: Instant;
}

export function addCallbackCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'callback', 'list, show, test and resend callbacks');
  addListCommand(group, context, 'list', CALLBACK_LIST);
  addCommand(group, 'show <merchant> <callback_id>', 'show a callback with every delivery attempt').action(
    actionOf(context, async (call, merchantId: string, callbackId: string) => {
      const json = await call('callbacks.show', { params: { merchantId, callbackId } });
      return { json, human: callbackRecordText(json) };
    }),
  );
  addCommand(group, 'failing', 'list merchants whose server fails. "callback resend" probes it').action(
    actionOf(context, async (call) => {
      const { items } = await call('callbacks.failing');
      const rows = items.map(({ merchantId, failures, since, callbackId: id }) => [
        merchantId,
        `${failures}`,
        since,
        id,
      ]);
      const human = formatTable(['MERCHANT', 'FAILURES', 'SINCE', 'CALLBACK'], rows, 'No servers are failing.');
      return { json: items, human };
    }),
  );
  addTest(group, context);
  addResend(group, context);
}

function addTest(group: Command, context: CommandContext): void {
  addCommand(group, 'test <merchant>', 'send a signed example to the merchant’s URL once and show the response')
    .option('--subject <kind>', SUBJECTS.join(', '), readOneOf(SUBJECTS), 'payout')
    .action(
      actionOf(context, async (call, merchantId: string, { subject }: { subject: CallbackSubject }) => {
        const json = await call('callbacks.test', { params: { merchantId }, body: { subject } });
        const { outcome, httpStatus, reply, latencyMs, sent } = json;
        const answer = [httpStatus === null ? null : `HTTP ${httpStatus}`, reply].filter(Boolean).join(', ');
        return { json, human: `${sent?.url ?? 'not sent'}: ${outcome} after ${latencyMs} ms (${answer})` };
      }),
    );
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
      actionOf(context, async (call, merchantId: string, callbackId: string | undefined, options: ResendOptions) => {
        if ((callbackId === undefined) === !options.undelivered) {
          throw new CommandFailure('Pass either a callback id or --undelivered', 2);
        }
        if (callbackId === undefined) {
          const body = options.since === undefined ? {} : { since: new Date(options.since).toISOString() };
          const json = await call('callbacks.resendUndelivered', { params: { merchantId }, body });
          return { json, human: `✓ ${json.resent} callbacks of ${merchantId} are due now.` };
        }
        const json = await call('callbacks.resend', { params: { merchantId, callbackId } });
        return { json, human: `✓ Callback ${callbackId} is due now (it was ${json.before}).` };
      }),
    );
}
