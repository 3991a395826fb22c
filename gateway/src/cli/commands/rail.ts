/** `gateway rail …`: what is configured, and when it is open. */
import type { Command } from 'commander';
import { OPENING_HOURS_ACCEPTED, readOpeningHours } from '../../domain/routing/opening-hours.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../command-context.ts';
import { CommandFailure, formatTable } from '../command-output.ts';
import { methodText } from '../payout-texts.ts';
import { routeFailure } from '../refusals.ts';

export function addRailCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'rail', 'the rails that carry payouts');
  addCommand(group, 'list', 'the configured rails').action(
    actionOf(context, async (open) => {
      const { rails, pauses, routes } = await open();
      const hours = new Map((await routes.read()).hours.map((each) => [each.rail, each.hours.text]));
      const paused = new Map(
        (await pauses.list()).flatMap((pause) => (pause.scope === 'rail' ? [[pause.target, pause.reason]] : [])),
      );
      const rows = rails.map((rail) => [
        rail.name,
        rail.methods.map(methodText).join(' '),
        rail.simulated ? 'simulated: no real money' : 'real',
        hours.get(rail.name) ?? 'always',
        paused.has(rail.name) ? `paused: ${paused.get(rail.name)}` : 'open',
      ]);
      return {
        json: rails.map(({ name, methods, simulated, notifies }) => ({
          name,
          methods,
          simulated,
          notifies,
          hours: hours.get(name) ?? null,
          paused: paused.has(name),
        })),
        human: formatTable(['RAIL', 'METHODS', 'MONEY', 'HOURS', 'STATE'], rows, 'No rail is configured.'),
      };
    }),
  );
  addCommand(group, 'hours', 'when a rail takes payouts; outside of its hours they wait or go elsewhere')
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
}
