/** `gateway rail …`: the configured rails, their health and their hours. */
import type { Command } from 'commander';
import type { GatewayOperations } from '../../domain/management/gateway-operations.ts';
import { OPENING_HOURS_ACCEPTED, readOpeningHours } from '../../domain/routing/opening-hours.ts';
import { type BreakerState, isLow, type RailFloat, type RailHealth } from '../../domain/routing/rail-health.ts';
import type { Currency } from '../../foundation/currency.ts';
import { formatAmount } from '../../foundation/money.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../command-context.ts';
import { CommandFailure, formatTable, jsonTime } from '../command-output.ts';
import { readAmount, readCurrency } from '../read-arguments.ts';
import { routeFailure } from '../refusals.ts';

export function addRailCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'rail', 'show and configure the rails that carry payouts');
  addCommand(group, 'list', 'list the configured rails with breaker, hours and float').action(
    actionOf(context, async (open) => listRails(await open())),
  );
  addCommand(group, 'hours', 'set the opening hours of a rail; outside them payouts wait or take another route')
    .argument('<rail>', 'its name')
    .argument('<hours>', 'such as "Mon-Fri 08:30-17:00 America/Toronto", or always')
    .action(
      actionOf(context, async (open, rail: string, text: string) => {
        const hours = text === 'always' ? null : readOpeningHours(text);
        if (hours === undefined) throw new CommandFailure(`<hours> must be always, or ${OPENING_HOURS_ACCEPTED}`, 2);
        const set = await (await open()).routes.setHours(rail, hours);
        if (!set.ok) throw routeFailure(set.error, rail);
        return { json: { rail, hours: hours?.text ?? null }, human: `✓ ${rail} is open ${hours?.text ?? 'always'}.` };
      }),
    );
  addCommand(group, 'float', 'set the threshold of the alert float_low for a prefunded balance')
    .argument('<rail>', 'its name')
    .argument('<currency>', 'such as EUR', readCurrency)
    .argument('<amount>', 'the threshold, or none')
    .action(
      actionOf(context, async (open, rail: string, currency: Currency, text: string) => {
        const mark = text === 'none' ? null : readAmount(text, currency).minor;
        const { rails } = await open();
        if (!rails.list.some(({ name }) => name === rail))
          throw routeFailure({ kind: 'no_such_rail', rails: rails.list.map(({ name }) => name) }, rail);
        await rails.setLowMark(rail, currency, mark);
        const human =
          mark === null
            ? `✓ The threshold of the ${currency} float of ${rail} is removed.`
            : `✓ The gateway raises the alert float_low when ${rail} has less than ${text} ${currency}.`;
        return { json: { rail, currency, low_mark: mark === null ? null : text }, human };
      }),
    );
}

async function listRails({ rails, pauses, routes }: GatewayOperations) {
  const [{ hours }, paused, health, floats] = await Promise.all([
    routes.read(),
    pauses.list(),
    rails.health(),
    rails.floats(),
  ]);
  const found = rails.list.map((rail) => ({
    ...rail,
    hours: hours.find((each) => each.rail === rail.name)?.hours.text ?? null,
    pause: paused.find(({ scope, target }) => scope === 'rail' && target === rail.name),
    workers: health.filter((each) => each.rail === rail.name),
    floats: floats.filter((each) => each.rail === rail.name),
  }));
  const rows = found.map(({ name, methods, purposes, simulated, hours: open, pause, workers, floats: own }) => [
    name,
    [...methods, ...purposes.filter((purpose) => purpose !== 'payout')].join(' '),
    simulated ? 'simulated: no real money' : 'real',
    open ?? 'always',
    pause ? `paused: ${pause.reason}` : healthText(workers),
    own.map(floatText).join(', '),
  ]);
  return {
    json: found.map(({ pause, workers, floats: own, ...rail }) => ({
      ...rail,
      paused: pause !== undefined,
      workers: workers.map(({ breaker, inFlight }) => ({ breaker, in_flight: inFlight })),
      floats: own.map(floatJson),
    })),
    human: formatTable(['RAIL', 'METHODS', 'MONEY', 'HOURS', 'STATE', 'FLOAT'], rows, 'No rail is configured.'),
  };
}

const BREAKER_WORDS: Readonly<Record<BreakerState, string>> = {
  closed: 'up',
  half_open: 'probing',
  open: 'down',
};

/** The worst state that a worker reported. */
function healthText(workers: readonly RailHealth[]): string {
  if (workers.length === 0) return 'no worker running';
  const worst = (['open', 'half_open'] as const).find((state) => workers.some(({ breaker }) => breaker === state));
  const inFlight = workers.reduce((sum, worker) => sum + worker.inFlight, 0);
  return `${BREAKER_WORDS[worst ?? 'closed']}, ${inFlight} in flight`;
}

function floatText({ currency, amount, lowMark }: RailFloat): string {
  const left = amount === null ? 'unknown' : formatAmount({ currency, minor: amount });
  return `${left} ${currency}${isLow({ amount, lowMark }) ? ' (low)' : ''}`;
}

function floatJson({ currency, amount, readAt, lowMark }: RailFloat) {
  const text = (minor: bigint | null) => (minor === null ? null : formatAmount({ currency, minor }));
  return { currency, amount: text(amount), read_at: jsonTime(readAt), low_mark: text(lowMark) };
}
