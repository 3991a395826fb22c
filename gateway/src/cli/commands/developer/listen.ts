/** `gateway listen` and `gateway trigger`: callbacks for a receiver on the developer's own machine. */
import { readFile, writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Callback } from '../../../../contract/endpoints/callbacks.ts';
import { exampleMessage, TRIGGERS, type Trigger } from '../../../domain/callbacks/example-payload.ts';
import type { DeliveredMessage, SignedDelivery } from '../../../domain/conformance/conformance.ts';
import { SECOND_MS } from '../../../foundation/clock.ts';
import { actionOf, addCommand, type CommandContext, offlineActionOf } from '../../command-context.ts';
import { CommandFailure, formatSection, tick } from '../../command-output.ts';
import type { CallApi } from '../../manage-api.ts';
import { collectSettings, readAddress, readOneOf, readWholeNumber } from '../../read-arguments.ts';
import { readKeyFile } from '../../read-key-file.ts';

const FORMATS = ['form', 'json'] as const;
const POLL_MS = SECOND_MS;
/**
 * The number of callbacks that one poll of the list returns. If more arrive between two polls, only the newest are forwarded.
 */
const PAGE = 100;
/** How many characters of a failed response the command prints. */
const LONGEST_REPLY = 300;

interface ListenOptions {
  readonly keyFile: string;
  readonly forward: URL;
  readonly events?: URL;
  readonly format: SignedDelivery['format'];
  readonly replay: number;
  readonly count?: number;
  readonly active?: true;
  readonly edit?: Readonly<Record<string, string>>;
  readonly answers?: string;
}

/** The receiver's last response to each callback. */
type Answers = Record<string, string>;

export function addListenCommand(program: Command, context: CommandContext): void {
  addCommand(program, 'listen <merchant>', 'forward the callbacks of a merchant to a test receiver, signed again')
    .requiredOption('--forward <url>', 'the receiver', readAddress)
    .requiredOption('--key-file <path>', 'a file with the API key')
    .option('--events <url>', 'the URL that receives events; defaults to --forward', readAddress)
    .option('--format <format>', FORMATS.join(', '), readOneOf(FORMATS), 'form')
    .option('--replay <count>', 'first send the last callbacks again', readWholeNumber(0, PAGE), 0)
    .option('--count <count>', 'stop after this many callbacks', readWholeNumber(1, 1_000_000))
    .option(
      '--edit <name=value>',
      'change a field before signing, and send the callback under a new id',
      collectSettings,
    )
    .option('--answers <path>', 'a file that keeps each response, to show what changed since the last replay')
    .option('--active', 'allow an active merchant; without production rules, every merchant is active')
    .action(
      actionOf(context, async (call, merchantId: string, options: ListenOptions) => {
        const { state } = await call('merchants.show', { params: { merchantId } });
        if (state !== 'test' && !options.active)
          throw new CommandFailure(
            `Merchant "${merchantId}" is ${state}: its callbacks may be about real money. Pass --active to forward them.`,
          );
        const key = await readKeyFile(options.keyFile);
        const { host } = context;
        const answers = await readAnswers(options.answers);
        host.stderr(`Forwarding callbacks of ${merchantId} to ${options.forward}. Press Ctrl-C to stop.\n`);
        let failed = 0;
        const forward = async ({ callbackId, subject, subjectId }: Callback) => {
          const { payload } = await call('callbacks.show', { params: { merchantId, callbackId } });
          const target = subject === 'event' ? (options.events ?? options.forward) : options.forward;
          const { format, edit } = options;
          const given = { target, merchantId, key, format, subject, id: subjectId };
          const message = { ...given, ...edited({ callbackId, payload }, edit) };
          const delivered = await host.deliverSigned(message);
          if (delivered.fault !== null) failed += 1;
          host.stderr(`${deliveredText(message, delivered)}\n${remedyOf(delivered, failed)}`);
          const answer = `${delivered.status ?? 'no response'} ${JSON.stringify(delivered.reply)}`;
          const before = answers[message.callbackId];
          if (before !== undefined && before !== answer) host.stderr(`    before: ${before}\n    now:    ${answer}\n`);
          answers[message.callbackId] = answer;
          if (options.answers !== undefined) await writeFile(options.answers, JSON.stringify(answers, null, 2));
        };
        const delivered = await forwardAll(call, merchantId, options, forward, host);
        const human = `${delivered} callbacks forwarded, ${failed} not acknowledged.`;
        return { json: { delivered, failed }, human, exitCode: failed === 0 ? 0 : 1 };
      }),
    );
}

/** Returns the receiver's response to a failed callback and, after the first failure, how to repeat the callback. */
function remedyOf({ reply, fault }: DeliveredMessage, failed: number): string {
  if (fault === null) return '';
  const words = reply === '' ? '' : `    ${JSON.stringify(reply.slice(0, LONGEST_REPLY))}\n`;
  return failed === 1
    ? `${words}    Correct the receiver, and listen again with --replay 1 to repeat this callback.\n`
    : words;
}

/** An edited callback is a new message, because a receiver may ignore a known id. */
function edited(
  callback: Pick<SignedDelivery, 'callbackId' | 'payload'>,
  edit: ListenOptions['edit'],
): Pick<SignedDelivery, 'callbackId' | 'payload'> {
  if (edit === undefined) return callback;
  return { callbackId: `${callback.callbackId}_edited`, payload: { ...callback.payload, ...edit } };
}

async function readAnswers(path: string | undefined): Promise<Answers> {
  const text = path === undefined ? '' : await readFile(path, 'utf8').catch(() => '');
  if (text === '') return {};
  try {
    return JSON.parse(text) as Answers;
  } catch {
    throw new CommandFailure(`The file ${path} contains no responses: delete it, or pass another file.`);
  }
}

/**
 * Forwards each callback once, oldest first, until the count is reached. After the first response of the API, it may restart.
 */
async function forwardAll(
  call: CallApi,
  merchantId: string,
  { replay, count = Number.POSITIVE_INFINITY }: ListenOptions,
  forward: (callback: Callback) => Promise<void>,
  { clock, stderr }: Pick<CommandContext['host'], 'clock' | 'stderr'>,
): Promise<number> {
  const newest = async () => (await call('callbacks.list', { query: { merchantId, limit: PAGE } })).items;
  const known = new Set((await newest()).slice(replay).map(({ callbackId }) => callbackId));
  let delivered = 0;
  let problem = '';
  for (;;) {
    try {
      const fresh = (await newest()).filter(({ callbackId }) => !known.has(callbackId)).toReversed();
      problem = '';
      for (const callback of fresh) {
        await forward(callback);
        known.add(callback.callbackId);
        delivered += 1;
        if (delivered >= count) return delivered;
      }
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      if (error.message !== problem) stderr(`${error.message}\n    The command retries every second.\n`);
      problem = error.message;
    }
    await clock.sleep(POLL_MS);
  }
}

function deliveredText(
  { subject, id, payload }: SignedDelivery,
  { status, latencyMs, fault }: DeliveredMessage,
): string {
  const what = payload['type'] ?? `${subject} ${payload['status'] ?? payload['co_inv_st'] ?? ''}`;
  return `${tick(fault === null)} ${what} ${id}: ${status ?? 'no response'} after ${latencyMs} ms${fault === null ? '' : `. ${fault}`}`;
}

interface TriggerOptions {
  readonly keyFile: string;
  readonly merchant: string;
  readonly format: SignedDelivery['format'];
}

export function addTriggerCommand(program: Command, context: CommandContext): void {
  addCommand(program, 'trigger', 'send an example of a callback or an event to a test receiver; nothing is paid')
    .argument('<event>', TRIGGERS.join(', '), readOneOf(TRIGGERS))
    .argument('<url>', 'the receiver', readAddress)
    .argument('<id>', 'your id of the payout, or the order')
    .requiredOption('--key-file <path>', 'a file with the API key')
    .option('--merchant <merchant>', 'the merchant of the message', 'M1')
    .option('--format <format>', FORMATS.join(', '), readOneOf(FORMATS), 'form')
    .action(
      offlineActionOf(context, async (event: Trigger, target: URL, id: string, options: TriggerOptions) => {
        const { merchant: merchantId, format } = options;
        const key = await readKeyFile(options.keyFile);
        const { subject, payload } = exampleMessage(event, merchantId, id, context.host.clock.now());
        const message = { target, merchantId, key, format, subject, id, callbackId: `${event}_${id}`, payload };
        const delivered = await context.host.deliverSigned(message);
        const human = formatSection(deliveredText(message, delivered), delivered.reply).trimEnd();
        return { json: { payload, ...delivered }, human, exitCode: delivered.fault === null ? 0 : 1 };
      }),
    );
}
