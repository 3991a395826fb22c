/** `gateway conform`: sends hostile traffic to a merchant's receiver. Only `--record` needs a gateway. */
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { ConformanceRequest, ConformanceResult } from '../../../domain/conformance/conformance.ts';
import type { Secret } from '../../../foundation/secret.ts';
import { actionOf, addCommand, type CommandContext } from '../../command-context.ts';
import { CommandFailure, unreadableText } from '../../command-output.ts';
import type { CallApi } from '../../manage-api.ts';
import { readAddress, readOneOf, readWholeNumber } from '../../read-arguments.ts';
import { readKeyFile } from '../../read-key-file.ts';

interface ConformOptions {
  readonly keyFile: string;
  readonly oldKeyFile?: string;
  readonly formKeyFile?: string;
  readonly merchant: string;
  readonly eventUrl?: URL;
  readonly returnUrl?: URL;
  readonly book?: string;
  readonly format: ConformanceRequest['format'];
  readonly ack: ConformanceRequest['acknowledgement'];
  readonly patienceMs: number;
  readonly record?: true;
}

const FORMATS = ['form', 'json'] as const;
const ACKNOWLEDGEMENTS = ['ok_body', 'any_2xx'] as const;
/** The gateway's own timeout for a response. */
const PATIENCE_MS = 15_000;
const SETTLE_MS = 2_000;
/** The maximum length that the management API accepts. */
const LONGEST_FINDING = 500;
const LARGEST_BOOK_BYTES = 16 * 1024 * 1024;

export function addConformCommand(program: Command, context: CommandContext): void {
  addCommand(program, 'conform', 'send duplicates, forgeries and network faults to a test receiver of callbacks')
    .argument('<url>', 'the URL for callbacks', readAddress)
    .requiredOption('--key-file <path>', 'a file with the API key')
    .option('--old-key-file <path>', 'a file with the key before the last rotation, if the receiver accepts it')
    .option('--form-key-file <path>', 'a file with the form key')
    .option('--merchant <merchant>', 'the merchant id in the messages', 'M1')
    .option('--event-url <url>', 'the URL for events', readAddress)
    .option('--return-url <url>', 'the page to which payers return', readAddress)
    .option('--book <file or url>', 'the receiver’s list of processed payments, one line each: id, status, amount')
    .option('--format <format>', FORMATS.join(', '), readOneOf(FORMATS), 'form')
    .option('--ack <acknowledgement>', ACKNOWLEDGEMENTS.join(', '), readOneOf(ACKNOWLEDGEMENTS), 'ok_body')
    .option('--patience-ms <ms>', 'the time limit for a response', readWholeNumber(1, PATIENCE_MS), PATIENCE_MS)
    .option('--record', 'record the result at the gateway, for the portal and the activation of the merchant')
    .action(
      actionOf(context, async (call, url: URL, options: ConformOptions) => {
        const results = await context.host.playReceiver({
          url,
          eventUrl: options.eventUrl ?? null,
          returnUrl: options.returnUrl ?? null,
          merchantId: options.merchant,
          key: await readKeyFile(options.keyFile),
          oldKey: await optionalKey(options.oldKeyFile),
          formKey: await optionalKey(options.formKeyFile),
          format: options.format,
          acknowledgement: options.ack,
          readBook: options.book === undefined ? null : bookReader(options.book, options.patienceMs),
          patienceMs: options.patienceMs,
          settleMs: Math.min(options.patienceMs, SETTLE_MS),
        });
        const examined = results.filter(({ state }) => state !== 'not_examined');
        const passed = examined.filter(({ state }) => state === 'passed');
        const score = `${passed.length} of ${examined.length} checks passed; ${results.length - examined.length} not run.`;
        const recorded = options.record ? await recordRun(call, options.merchant, url, results) : [];
        return {
          json: { passed: passed.length, examined: examined.length, results },
          human: [...results.map(resultText), '', score, ...recorded].join('\n'),
          exitCode: examined.length > 0 && passed.length === examined.length ? 0 : 1,
        };
      }),
    );
}

/** Records the run and returns a line that reports it. */
async function recordRun(
  call: CallApi,
  merchantId: string,
  { href: address }: URL,
  results: readonly ConformanceResult[],
): Promise<readonly string[]> {
  const reported = results.map(({ name, state, found }) => ({ name, state, found: found.slice(0, LONGEST_FINDING) }));
  const body = { address, results: reported };
  const { isPassed } = await call('merchants.recordConformance', { params: { merchantId }, body });
  return [
    isPassed
      ? `Recorded a passed run for ${merchantId}.`
      : `Recorded a failed run for ${merchantId}. A run passes only with --book and without failed checks.`,
  ];
}

async function optionalKey(path: string | undefined): Promise<Secret | null> {
  return path === undefined ? null : readKeyFile(path);
}

/** Returns a function that reads the complete record from a file or a URL. */
function bookReader(place: string, patienceMs: number): () => Promise<string> {
  const read = async () => {
    if (!/^https?:/.test(place)) return readFile(place, 'utf8');
    const response = await fetch(place, { signal: AbortSignal.timeout(patienceMs) });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > LARGEST_BOOK_BYTES) throw new Error(`it is larger than ${LARGEST_BOOK_BYTES} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  };
  return () =>
    read().catch((error: unknown) => {
      throw new CommandFailure(unreadableText(`the book ${place}`, error));
    });
}

const MARKS = { passed: '✓', failed: '✗', not_examined: '–' } as const;

function resultText({ name, plays, state, found, remedy }: ConformanceResult): string {
  const lines = [`${MARKS[state]} ${name}: ${plays}`];
  if (found !== '') lines.push(`    ${found}`);
  if (remedy !== '') lines.push(`    Remedy: ${remedy}`);
  return lines.join('\n');
}
