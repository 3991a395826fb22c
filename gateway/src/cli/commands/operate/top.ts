/** `gateway top`: a live view of the gateway in the terminal. */
import type { Command } from 'commander';
import { SECOND_MS } from '../../../foundation/clock.ts';
import { actionOf, addCommand, type CommandContext } from '../../command-context.ts';
import { forTerminal } from '../../command-output.ts';
import type { CallApi } from '../../manage-api.ts';
import { readAddress, readWholeNumber } from '../../read-arguments.ts';
import { fetchMetrics, type Sample } from '../../read-metrics.ts';
import { drawPicture, type Reading } from '../../texts/top-picture.ts';

interface TopOptions {
  readonly once?: boolean;
  readonly every: number;
  readonly metrics?: readonly URL[];
}

const DEFAULT_METRICS = 'http://127.0.0.1:9464/metrics';
/** Moves the cursor to the top left corner, and clears the rest of the screen. */
const BEGIN_AGAIN = '\x1b[H\x1b[J';

export function addTopCommand(program: Command, context: CommandContext): void {
  addCommand(program, 'top', 'show rates, queues, rails, processes and alerts live, until Ctrl-C')
    .option('--once', 'print one snapshot with totals instead of rates, and exit')
    .option('--every <seconds>', 'the time between two snapshots', readWholeNumber(1, 3_600), 2)
    .option(
      '--metrics <url>',
      `a metrics page; can be repeated, one for each machine (default: ${DEFAULT_METRICS})`,
      collect,
    )
    .action(
      actionOf(context, async (call, { once = false, every, metrics }: TopOptions) => {
        const pages = metrics ?? [new URL(DEFAULT_METRICS)];
        let reading = await read(context, call, pages);
        if (!once) {
          const stopping = new AbortController();
          void context.host.untilStopSignal().then(() => stopping.abort());
          for (let earlier: Reading | undefined; !stopping.signal.aborted; ) {
            context.host.stdout(`${BEGIN_AGAIN}${forTerminal(drawPicture(reading, earlier))}\n`);
            await context.host.clock.sleep(every * SECOND_MS, stopping.signal);
            earlier = reading;
            if (!stopping.signal.aborted) reading = await read(context, call, pages);
          }
        }
        const { samples: _samples, ...json } = reading;
        return { json, human: once ? drawPicture(reading, undefined) : '' };
      }),
    );
}

function collect(text: string, before: readonly URL[] = []): readonly URL[] {
  return [...before, readAddress(text)];
}

async function read({ host }: CommandContext, call: CallApi, pages: readonly URL[]): Promise<Reading> {
  const queues = await call('queues.show');
  const { items: rails } = await call('rails.list');
  const { items: processes } = await call('processes.list');
  const unread: string[] = [];
  const samples: Sample[] = [];
  for (const page of pages) {
    const found = await fetchMetrics(page).catch((error: Error) => {
      unread.push(`No metrics from ${page}: ${reasonOf(error)}. Pass the URL of the metrics page with --metrics.`);
      return [];
    });
    samples.push(...found);
  }
  return { at: host.clock.now(), queues, rails, processes, samples, unread };
}

function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}
