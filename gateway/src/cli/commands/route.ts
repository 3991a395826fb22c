/** `gateway route …`: the rails that payouts may take. */
import type { Command } from 'commander';
import type { GatewayOperations } from '../../domain/management/gateway-operations.ts';
import type { RouteRefusal } from '../../domain/routing/lay-routes.ts';
import type { Route } from '../../domain/routing/route.ts';
import { formatAmount, parseAmount, parsePercent } from '../../foundation/money.ts';
import type { Result } from '../../foundation/result.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../command-context.ts';
import { CommandFailure, formatTable } from '../command-output.ts';
import { readWholeNumber } from '../read-arguments.ts';
import { routeFailure } from '../refusals.ts';

type CurrencyOf = GatewayOperations['currencyOf'];

interface SetOptions {
  readonly merchant?: string;
  readonly place: number;
  readonly weight?: number;
  readonly min?: string;
  readonly max?: string;
  readonly costFixed?: string;
  readonly costPercent?: string;
}

const readMethod = readWholeNumber(1, 999);

export function addRouteCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'route', 'manage the rails that a method’s payouts may take, and their order');
  addCommand(group, 'list', 'list all routes').action(
    actionOf(context, async (open) => {
      const { routes: laid, currencyOf } = await open();
      const { routes } = await laid.read();
      return { json: routes.map((route) => routeJson(route, currencyOf)), human: routeTable(routes, currencyOf) };
    }),
  );
  addSet(group, context);
  addCommand(
    group,
    'remove',
    'remove a route; a method without routes uses the configured rails in their default order',
  )
    .argument('<method>', 'its number', readMethod)
    .argument('<rail>', 'its name')
    .option('--merchant <merchant>', 'remove the route of this merchant')
    .action(
      actionOf(context, async (open, method: number, rail: string, { merchant }: { merchant?: string }) => {
        refuse(await (await open()).routes.remove(method, merchant ?? null, rail), rail);
        return { json: { method, rail, merchant: merchant ?? null, removed: true }, human: '✓ The route is removed.' };
      }),
    );
}

function addSet(group: Command, context: CommandContext): void {
  addCommand(group, 'set', 'add or change the route of a method over a rail')
    .argument('<method>', 'its number', readMethod)
    .argument('<rail>', 'its name')
    .option('--merchant <merchant>', 'only for this merchant; a merchant’s own routes replace the common ones')
    .option('--place <number>', 'the rank; the gateway uses the lowest first', readWholeNumber(1, 1_000), 1)
    .option(
      '--weight <number>',
      'the share of the rail among the rails of the same place',
      readWholeNumber(1, 1_000_000),
    )
    .option('--min <amount>', 'the smallest amount that may take this rail')
    .option('--max <amount>', 'the largest amount that may take this rail')
    .option(
      '--cost-fixed <amount>',
      'the provider’s fixed fee per payout; without weights, the cheaper rail comes first',
    )
    .option('--cost-percent <percent>', 'the provider’s fee in percent of the amount, such as 1.25')
    .action(
      actionOf(context, async (open, method: number, rail: string, options: SetOptions) => {
        const { routes, currencyOf } = await open();
        const route = routeOf(method, rail, options, currencyOf);
        refuse(await routes.set(route), rail);
        return {
          json: routeJson(route, currencyOf),
          human: `✓ Payouts of method ${method} may take ${rail}, place ${route.place}.`,
        };
      }),
    );
}

function routeOf(method: number, rail: string, options: SetOptions, currencyOf: CurrencyOf): Route {
  const currency = currencyOf(method);
  if (!currency) throw new CommandFailure(`There is no method ${method}`);
  const amount = (option: string, text: string | undefined) => {
    const money = text === undefined ? null : parseAmount(text, currency);
    if (money === undefined) throw new CommandFailure(`${option} must be an amount above zero, such as 12.50`, 2);
    return money?.minor ?? null;
  };
  const percent = parsePercent(options.costPercent ?? '0');
  if (percent === undefined) throw new CommandFailure('--cost-percent must be a percentage such as 1.25', 2);
  return {
    ...{ method, rail, merchantId: options.merchant ?? null, place: options.place, weight: options.weight ?? null },
    minAmount: amount('--min', options.min),
    maxAmount: amount('--max', options.max),
    costFixed: amount('--cost-fixed', options.costFixed) ?? 0n,
    costPercent: percent,
  };
}

function refuse(result: Result<unknown, RouteRefusal>, rail: string): void {
  if (!result.ok) throw routeFailure(result.error, rail);
}

function textsOf(route: Route, currencyOf: CurrencyOf) {
  const currency = currencyOf(route.method);
  const text = (minor: bigint | null) => (minor === null || !currency ? null : formatAmount({ currency, minor }));
  return {
    min: text(route.minAmount),
    max: text(route.maxAmount),
    costFixed: text(route.costFixed),
    costPercent: percentText(route.costPercent),
  };
}

/** `1.25` for 12500 millionths. */
function percentText(millionths: bigint): string {
  const [whole, part] = [millionths / 10_000n, millionths % 10_000n];
  return part === 0n ? `${whole}` : `${whole}.${part.toString().padStart(4, '0').replace(/0+$/, '')}`;
}

function routeJson(route: Route, currencyOf: CurrencyOf) {
  const { min, max, costFixed, costPercent } = textsOf(route, currencyOf);
  const { method, merchantId: merchant, rail, place, weight } = route;
  return { method, merchant, rail, place, weight, min, max, cost_fixed: costFixed, cost_percent: costPercent };
}

function routeTable(routes: readonly Route[], currencyOf: CurrencyOf): string {
  const rows = routes.map((route) => {
    const { min, max, costFixed, costPercent } = textsOf(route, currencyOf);
    const limits = `${min ?? '0'} to ${max ?? 'any'}`;
    const { method, merchantId, place, rail, weight } = route;
    const which = `${method} ${currencyOf(method) ?? ''}`.trim();
    return [
      which,
      merchantId ?? 'every one',
      String(place),
      rail,
      weight === null ? '' : String(weight),
      limits,
      `${costFixed} + ${costPercent} %`,
    ];
  });
  const header = ['METHOD', 'MERCHANT', 'PLACE', 'RAIL', 'WEIGHT', 'AMOUNTS', 'COST'];
  return formatTable(header, rows, 'No routes. Each method uses the first configured rail that carries it.');
}
