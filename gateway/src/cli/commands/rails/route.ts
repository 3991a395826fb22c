/** `gateway route …`: the rails that payouts may use. */
import type { Command } from 'commander';
import type { Route } from '../../../../contract/endpoints/routes.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../../command-context.ts';
import { formatTable } from '../../command-output.ts';
import { readWholeNumber } from '../../read-arguments.ts';

interface SetOptions {
  readonly merchant?: string;
  readonly rank: number;
  readonly weight?: number;
  readonly min?: string;
  readonly max?: string;
  readonly costFixed?: string;
  readonly costPercent?: string;
  readonly dryRun?: true;
}

const readMethod = readWholeNumber(1, 999);

export function addRouteCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'route', 'manage the rails that a method’s payouts may use, and their order');
  addCommand(group, 'list', 'list all routes').action(
    actionOf(context, async (call) => {
      const { items } = await call('routes.list');
      return { json: items, human: routeTable(items) };
    }),
  );
  addSet(group, context);
  addCommand(
    group,
    'remove',
    'remove a route; a method without routes uses the configured rails in their default order',
  )
    .argument('<method>', 'the number of the method', readMethod)
    .argument('<rail>', 'the name of the rail')
    .option('--merchant <merchant>', 'remove the route of this merchant')
    .action(
      actionOf(context, async (call, method: number, rail: string, { merchant }: { merchant?: string }) => {
        const { ifMatch: headers } = await call.tagged('routes.list');
        const query = merchant === undefined ? {} : { merchantId: merchant };
        const json = await call('routes.remove', { params: { method, rail }, query, headers });
        return { json, human: '✓ Removed the route.' };
      }),
    );
}

function addSet(group: Command, context: CommandContext): void {
  addCommand(group, 'set', 'add or change the route of a method over a rail')
    .argument('<method>', 'the number of the method', readMethod)
    .argument('<rail>', 'the name of the rail')
    .option('--merchant <merchant>', 'only for this merchant; a merchant’s own routes replace the common routes')
    .option('--rank <number>', 'the rank; the gateway uses the lowest first', readWholeNumber(1, 1_000), 1)
    .option(
      '--weight <number>',
      'the share of the rail among the rails of the same rank',
      readWholeNumber(1, 1_000_000),
    )
    .option('--min <amount>', 'the smallest amount that may use this rail')
    .option('--max <amount>', 'the largest amount that may use this rail')
    .option(
      '--cost-fixed <amount>',
      'the provider’s fixed fee per payout; without weights, the cheaper rail comes first',
    )
    .option('--cost-percent <percent>', 'the provider’s fee in percent of the amount, such as 1.25')
    .option('--dry-run', 'validate the route without saving it')
    .action(
      actionOf(context, async (call, method: number, rail: string, options: SetOptions) => {
        const { merchant, rank, weight, min, max, costFixed, costPercent, dryRun } = options;
        const chosen = { rank, weight, min, max, costFixed, costPercent };
        const body = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined));
        const query = { ...(merchant && { merchantId: merchant }), ...(dryRun && { dryRun }) };
        const { ifMatch: headers } = await call.tagged('routes.list');
        const json = await call('routes.set', { params: { method, rail }, query, body, headers });
        const done = `✓ Payouts of method ${method} may use ${rail}, rank ${json.rank}.`;
        return { json, human: dryRun ? '✓ The gateway would accept this route.' : done };
      }),
    );
}

function routeTable(routes: readonly Route[]): string {
  const rows = routes.map(({ method, currency, merchantId, rank, rail, weight, min, max, costFixed, costPercent }) => [
    `${method} ${currency ?? ''}`.trim(),
    merchantId ?? 'all merchants',
    String(rank),
    rail,
    weight === null ? '' : String(weight),
    `${min ?? '0'} to ${max ?? 'any'}`,
    `${costFixed} + ${costPercent} %`,
  ]);
  const header = ['METHOD', 'MERCHANT', 'RANK', 'RAIL', 'WEIGHT', 'AMOUNTS', 'COST'];
  return formatTable(header, rows, 'No routes. Each method uses the first configured rail that supports it.');
}
