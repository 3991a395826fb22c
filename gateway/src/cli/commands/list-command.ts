/** The commands that list payments: their filters as options, and their output as a table, JSON or CSV. */
import type { Command } from 'commander';
import type { Static } from 'typebox';
import type { LIST_ENDPOINTS, ListName } from '../../../contract/endpoints/lists.ts';
import type { Instant } from '../../foundation/clock.ts';
import { actionOf, addCommand, type CommandContext } from '../command-context.ts';
import type { CallApi } from '../manage-api.ts';
import { readCurrency, readTime, readTransactionId, readWholeNumber } from '../read-arguments.ts';

/** An item of the list as the management API returns it. */
type Item<Name extends ListName> = Static<(typeof LIST_ENDPOINTS)[`${Name}.list`]['answer']>['items'][number];

export interface ListCommand<Name extends ListName> {
  readonly list: Name;
  readonly summary: string;
  /** Each filter with its flags, its help text and its parser. */
  readonly options: readonly ListOption[];
  readonly table: (items: readonly Item<Name>[]) => string;
}

export interface ListOption {
  readonly filter: string;
  readonly flags: `--${string}`;
  readonly help: string;
  readonly read?: (text: string) => string | number;
}

/** The filters by amount, for lists that show amounts. */
export const AMOUNTS: readonly ListOption[] = [
  { filter: 'currency', flags: '--currency <currency>', help: 'only this currency', read: readCurrency },
  { filter: 'minAmount', flags: '--min-amount <amount>', help: 'with --currency: at least this amount' },
  { filter: 'maxAmount', flags: '--max-amount <amount>', help: 'with --currency: at most this amount' },
];

export const RAIL: ListOption = { filter: 'rail', flags: '--rail <rail>', help: 'show only this rail' };
export const TRANSACTION: ListOption = {
  filter: 'transactionId',
  flags: '--transaction <number>',
  help: 'only the payment with this transaction number',
  read: readTransactionId,
};

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
  { list, summary, options, table }: ListCommand<Name>,
): void {
  const command = addCommand(group, name, summary).option('--merchant <merchant>', 'show only this merchant');
  for (const { flags, help, read } of options) read ? command.option(flags, help, read) : command.option(flags, help);
  command
    .option('--since <time>', 'only from this time (UTC), inclusive', readTime)
    .option('--until <time>', 'only before this time (UTC)', readTime)
    .option('--limit <count>', 'the maximum number of rows', readWholeNumber(1, 100_000), 50)
    .action(
      actionOf(context, async (call, given: CommonOptions & Readonly<Record<string, unknown>>) => {
        const filters = options.map(({ filter, flags }) => [filter, given[attributeOf(flags)]] as const);
        const query = { merchantId: given.merchant, from: iso(given.since), to: iso(given.until) };
        const all = { ...query, ...Object.fromEntries(filters) };
        const items = await readItems<Item<Name>>(call, `${list}.list`, all, given.limit);
        return { json: items, human: table(items) };
      }),
    );
}

/** The maximum number of items of a page. */
const PAGE = 100;

interface Page<Of> {
  readonly items: readonly Of[];
  readonly next: string | null;
}

/** Reads pages until the limit or the end of the list. */
export async function readItems<Of>(
  call: CallApi,
  endpoint: `${string}.list`,
  query: Readonly<Record<string, unknown>>,
  limit: number,
): Promise<readonly Of[]> {
  const read = call as (name: string, call: { readonly query: object }) => Promise<Page<Of>>;
  const items: Of[] = [];
  for (let after: string | null | undefined; after !== null && items.length < limit; ) {
    const size = Math.min(PAGE, limit - items.length);
    const page: Page<Of> = await read(endpoint, { query: { ...query, limit: size, after } });
    items.push(...page.items);
    after = page.next;
  }
  return items;
}

export function iso(instant: Instant | undefined): string | undefined {
  return instant === undefined ? undefined : new Date(instant).toISOString();
}

/** The parser returns `--last-four <x>` as `lastFour`. */
function attributeOf(flags: string): string {
  const [, name = ''] = /^--([\w-]+)/.exec(flags) ?? [];
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
