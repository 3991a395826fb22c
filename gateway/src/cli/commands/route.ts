/** `gateway route …`: where payouts may go. */
import type { Command } from 'commander';
import type { RouteRefusal } from '../../domain/routing/lay-routes.ts';
import type { Route } from '../../domain/routing/route.ts';
import { formatAmount, parseAmount, parsePercent } from '../../foundation/money.ts';
import type { Result } from '../../foundation/result.ts';
import { actionOf, addCommand, addGroup, type CommandContext } from '../command-context.ts';
import { CommandFailure, formatTable } from '../command-output.ts';
import type { GatewayOperations } from '../gateway-operations.ts';
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
  const group = addGroup(program, 'route', 'which rails the payouts of a method may take, and in which order');
  addCommand(group, 'list', 'all that is laid down').action(
    actionOf(context, async (open) => {
      const { routes: laid, currencyOf } = await open();
      const { routes } = await laid.read();
      return { json: routes.map((route) => routeJson(route, currencyOf)), human: routeTable(routes, currencyOf) };
    }),
  );
  addSet(group, context);
  addCommand(group, 'remove', 'take a route away; without any the configured rails carry the method')
    .argument('<method>', 'its number', readMethod)
    .argument('<rail>', 'its name')
    .option('--merchant <merchant>', 'the one of this merchant')
    .action(
      actionOf(context, async (open, method: number, rail: string, { merchant }: { merchant?: string }) => {
        refuse(await (await open()).routes.remove(method, merchant ?? null, rail), rail);
        return { json: { method, rail, merchant: merchant ?? null, removed: true }, human: '✓ The route is gone.' };
      }),
    );
}

function addSet(group: Command, context: CommandContext): void {
  addCommand(group, 'set', 'let a method’s payouts take a rail')
    .argument('<method>', 'its number', readMethod)
    .argument('<rail>', 'its name')
    .option('--merchant <merchant>', 'for this merchant alone, whose own routes take the place of the common ones')
    .option('--place <number>', 'the lowest is tried first', readWholeNumber(1, 1_000), 1)
    .option('--weight <number>', 'its share among those of its place', readWholeNumber(1, 1_000_000))
    .option('--min <amount>', 'smaller payouts go elsewhere')
    .option('--max <amount>', 'larger payouts go elsewhere')
    .option('--cost-fixed <amount>', 'what the provider takes of each; of those without weight the cheaper comes first')
    .option('--cost-percent <percent>', 'and what part of the amount, such as 1.25')
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
  return formatTable(header, rows, 'No routes: each method goes by the first configured rail that carries it.');
}
