/** `gateway rail …`: the configured rails, their health and their hours. */
import type { Command } from 'commander';
import type { Rail } from '../../../../contract/endpoints/rails.ts';
import { OPENING_HOURS_ACCEPTED, readOpeningHours } from '../../../domain/routing/opening-hours.ts';
import type { Currency } from '../../../foundation/currency.ts';
import { formatAmount } from '../../../foundation/money.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../../command-context.ts';
import { CommandFailure, formatTable } from '../../command-output.ts';
import { readAmount, readCurrency } from '../../read-arguments.ts';

export function addRailCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'rail', 'show and configure the rails that carry payouts');
  addCommand(group, 'list', 'list the configured rails with breaker, hours and float').action(
    actionOf(context, async (call) => {
      const { items } = await call('rails.list');
      return { json: items, human: railTable(items) };
    }),
  );
  addCommand(group, 'show <rail>', 'show a rail with breaker, hours and float').action(
    actionOf(context, async (call, rail: string) => {
      const json = await call('rails.show', { params: { rail } });
      return { json, human: railTable([json]) };
    }),
  );
  addCommand(
    group,
    'exchanges <rail> <reference>',
    'show the requests to a provider about an attempt, and its responses',
  ).action(
    actionOf(context, async (call, rail: string, reference: string) => {
      const { items } = await call('rails.exchanges', { params: { rail, reference } });
      const human = items.flatMap(({ at, method, path, status, failure, request, reply, answer }) => [
        `${at}  ${method} ${path}  ${status ?? failure}  interpreted as ${answer}`,
        ...[request, reply].filter((text) => text !== '').map((text) => `    ${text}`),
      ]);
      return { json: items, human: human.join('\n') || 'No exchange of this attempt is stored.' };
    }),
  );
  addCommand(group, 'hours', 'set the opening hours of a rail; outside them payouts wait or take another route')
    .argument('<rail>', 'the name of the rail')
    .argument('<hours>', 'such as "Mon-Fri 08:30-17:00 America/Toronto", or always')
    .action(
      actionOf(context, async (call, rail: string, text: string) => {
        const hours = text === 'always' ? null : text;
        if (hours !== null && !readOpeningHours(hours))
          throw new CommandFailure(`<hours> must be always, or ${OPENING_HOURS_ACCEPTED}`, 2);
        const json = await call('rails.setHours', { params: { rail }, body: { hours } });
        return { json, human: `✓ ${rail} is open ${json.hours ?? 'always'}.` };
      }),
    );
  addCommand(group, 'set-float-threshold', 'set the threshold of the alert float_low for a prefunded balance')
    .argument('<rail>', 'the name of the rail')
    .argument('<currency>', 'such as EUR', readCurrency)
    .argument('<amount>', 'the threshold, or none')
    .action(
      actionOf(context, async (call, rail: string, currency: Currency, text: string) => {
        const threshold = text === 'none' ? null : formatAmount(readAmount(text, currency));
        const json = await call('rails.setThreshold', { params: { rail, currency }, body: { threshold } });
        const human =
          threshold === null
            ? `✓ Removed the threshold of the ${currency} float of ${rail}.`
            : `✓ The gateway raises the alert float_low when ${rail} has less than ${text} ${currency}.`;
        return { json, human };
      }),
    );
}

function railTable(rails: readonly Rail[]): string {
  const rows = rails.map(({ name, methods, purposes, simulated, hours, pause, workers, floats }) => [
    name,
    [...methods, ...purposes.filter((purpose) => purpose !== 'payout')].join(' '),
    simulated ? 'simulated: no real money' : 'real',
    hours ?? 'always',
    pause ? `paused: ${pause.reason}` : healthText(workers),
    floats.map(floatText).join(', '),
  ]);
  return formatTable(['RAIL', 'METHODS', 'MONEY', 'HOURS', 'STATE', 'FLOAT'], rows, 'No rails are configured.');
}

const BREAKER_WORDS: Readonly<Record<Rail['workers'][number]['breaker'], string>> = {
  closed: 'up',
  half_open: 'probing',
  open: 'down',
};

/** Returns the worst state that any worker reported. */
function healthText(workers: Rail['workers']): string {
  if (workers.length === 0) return 'no worker running';
  const worst = (['open', 'half_open'] as const).find((state) => workers.some(({ breaker }) => breaker === state));
  const inFlight = workers.reduce((sum, worker) => sum + worker.inFlight, 0);
  return `${BREAKER_WORDS[worst ?? 'closed']}, ${inFlight} in flight`;
}

function floatText({ currency, amount, isLow }: Rail['floats'][number]): string {
  return `${amount ?? 'unknown'} ${currency}${isLow ? ' (low)' : ''}`;
}
