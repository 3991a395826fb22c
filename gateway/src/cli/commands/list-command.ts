/** The commands that list payments: their filters as options, and their output as a table, JSON or CSV. */
import type { Command } from 'commander';
import type { ListName, ListPage, ListQuery, Lists, Place } from '../../domain/lists/list-store.ts';
import type { GatewayOperations } from '../../domain/management/gateway-operations.ts';
import type { Instant } from '../../foundation/clock.ts';
import { actionOf, addCommand, type CommandContext } from '../command-context.ts';
import { readTime, readWholeNumber } from '../read-arguments.ts';

export interface ListCommand<Name extends ListName> {
  readonly list: Name;
  readonly summary: string;
  /** The flags of each filter, its help, and the reader of its value. The name is the filter's. */
  readonly options: readonly ListOption[];
  readonly json: (item: Lists[Name]) => Readonly<Record<string, unknown>>;
  readonly table: (items: readonly Lists[Name][]) => string;
}

export interface ListOption {
  readonly filter: string;
  readonly flags: `--${string}`;
  readonly help: string;
  readonly read?: (text: string) => string | number;
}

interface CommonOptions {
  readonly merchant?: string;
  readonly since?: Instant;
  readonly until?: Instant;
  readonly limit: number;
}

export function addListCommand<Name extends ListName>(
  group: Command,
  context: CommandContext,
  name: string,
  { list, summary, options, json, table }: ListCommand<Name>,
): void {
  const command = addCommand(group, name, summary).option('--merchant <merchant>', 'only this merchant');
  for (const { flags, help, read } of options) read ? command.option(flags, help, read) : command.option(flags, help);
  command
    .option('--since <time>', 'only from this time on (UTC)', readTime)
    .option('--until <time>', 'only before this time (UTC)', readTime)
    .option('--limit <count>', 'the maximum number of rows', readWholeNumber(1, 100_000), 50)
    .action(
      actionOf(context, async (open, given: CommonOptions & Readonly<Record<string, unknown>>) => {
        const filters = options.flatMap(({ filter, flags }) => {
          const value = given[attributeOf(flags)];
          return value === undefined ? [] : [[filter, value as string | number] as const];
        });
        const { merchant = null, since = null, until = null, limit } = given;
        const query = { merchantId: merchant, from: since, to: until, filters: Object.fromEntries(filters) };
        const items = await readItems((await open()).lists, list, query, limit);
        return { json: items.map(json), human: table(items) };
      }),
    );
}

/** The maximum number of rows that one page reads. */
const PAGE = 500;

/** Reads pages until the limit, or the end of the list. */
async function readItems<Name extends ListName>(
  lists: GatewayOperations['lists'],
  name: Name,
  query: Omit<ListQuery, 'after' | 'limit'>,
  limit: number,
): Promise<readonly Lists[Name][]> {
  const items: Lists[Name][] = [];
  let after: Place | null = null;
  do {
    const page: ListPage<Lists[Name]> = await lists[name]({
      ...{ ...query, after },
      limit: Math.min(PAGE, limit - items.length),
    });
    items.push(...page.items);
    after = page.next;
  } while (after !== null && items.length < limit);
  return items;
}

/** `--last-four <x>` is given as `lastFour`. */
function attributeOf(flags: string): string {
  const [, name = ''] = /^--([\w-]+)/.exec(flags) ?? [];
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
