/**
 * A list of the management API: filters in the URL, pages by cursor, and rows that can be selected by keyboard. On a phone
 * each row is a block.
 */

import { Button, Group, Paper, Stack } from '@mantine/core';
import { type HotkeyItem, useHotkeys, useMediaQuery } from '@mantine/hooks';
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { ApiError } from '../../api/api-error.ts';
import { PAGE_ROWS } from '../../api/queries.ts';
import type { Words } from '../../words/en/en.ts';
import { useWords } from '../../words/words.ts';
import { type Column, Table } from '../elements/table.tsx';
import { openPage, setFilters, useAddressFilters } from '../links/address.ts';
import { useMerchants } from '../links/merchant-link.tsx';
import type { PagePath } from '../links/paths.ts';
import { Loading } from '../loading/loading.tsx';
import { Empty, Failed } from '../loading/shown.tsx';
import { PageTitle } from '../page/page-title.tsx';
import { ExportButton } from './exports.tsx';
import { SavedViews } from './saved-views.tsx';

/** `options` are the values to choose from. If undefined, the filter accepts any text. */
export interface Filter {
  readonly name: string;
  readonly label: string;
  readonly options?: readonly string[];
  /** The labels of the options. Default to the labels of states and reasons. */
  readonly names?: Readonly<Record<string, string>>;
  readonly type?: 'text' | 'date';
}

/** Returns the filters for the first and last day of a row's time. */
export function between(time: string, period: Words['period']): readonly Filter[] {
  return [
    { name: 'from', label: period.from(time), type: 'date' },
    { name: 'to', label: period.before(time), type: 'date' },
  ];
}

export interface Pages<Item> {
  readonly data: { readonly pages: readonly { readonly items: readonly Item[] }[] } | undefined;
  readonly error: ApiError | null;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
  readonly refetch: () => unknown;
}

interface ListPageProps<Item> {
  readonly title: string;
  readonly empty: string;
  readonly filters: readonly Filter[];
  readonly columns: readonly Column<Item>[];
  readonly keyOf: (item: Item) => string;
  /** Returns the URL to which a row links. */
  readonly pathOf?: (item: Item) => PagePath;
  readonly pages: Pages<Item>;
  /** The list of the management API whose filtered rows can be exported. */
  readonly exported?: string;
  readonly side?: ReactNode;
  /** True if the page already has a heading. */
  readonly isPart?: boolean;
}

export function ListPage<Item>(props: ListPageProps<Item>) {
  const { title, filters, exported, side, isPart = false } = props;
  const query = useFilters(filters);
  return (
    <Stack>
      <Group justify="space-between">
        <PageTitle isPart={isPart}>{title}</PageTitle>
        <Group gap="xs">
          {exported === undefined ? null : <ExportButton list={exported} query={query} />}
          {side}
        </Group>
      </Group>
      {filters.length > 0 ? <Filters filters={filters} /> : null}
      <Paper withBorder>
        <Rows {...props} />
      </Paper>
    </Stack>
  );
}

/** Returns the filters in the URL for the query of the list. */
export function useFilters(filters: readonly Filter[]): Readonly<Record<string, string>> {
  const search = useAddressFilters();
  const given = filters.map(({ name, type }) => [name, textOf(search[name], type)] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

function textOf(value: unknown, type: Filter['type']): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (type !== 'date' || text === '') return text;
  // A day of the viewer begins at their local midnight.
  return new Date(hasTime(text) ? text : `${text}T00:00:00`).toISOString();
}

/** A link from another page may contain a time of day. */
const hasTime = (text: string) => text.includes('T');

function Filters({ filters }: { filters: readonly Filter[] }) {
  const words = useWords();
  const search = useAddressFilters();
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const given = filters.map(({ name }) => [name, String(data.get(name) ?? '').trim()] as const);
    setFilters(Object.fromEntries(given.filter(([, value]) => value !== '')));
  };
  const isWide = useMediaQuery('(min-width: 48em)', true);
  const Box = isWide ? 'div' : 'details';
  return (
    <Box>
      {isWide ? null : <summary>{words.filters}</summary>}
      <form onSubmit={apply} key={JSON.stringify(search)} aria-label={words.filters}>
        <Group align="flex-end" gap="xs">
          {filters.map((filter) => {
            const Input = filter.name === 'merchantId' ? MerchantInput : FilterInput;
            return <Input key={filter.name} filter={filter} value={String(search[filter.name] ?? '')} />;
          })}
          <Button type="submit" variant="light" size="xs">
            {words.apply}
          </Button>
        </Group>
      </form>
      <SavedViews search={search}>
        {filters.some(({ name }) => name in search) ? (
          <Button variant="subtle" size="xs" onClick={() => setFilters({})}>
            {words.clear}
          </Button>
        ) : null}
      </SavedViews>
    </Box>
  );
}

/** Offers the merchants by name. */
function MerchantInput({ filter, value }: { filter: Filter; value: string }) {
  const names = Object.fromEntries(useMerchants().map(({ merchantId, name }) => [merchantId, name || merchantId]));
  const options = Object.keys(names);
  return <FilterInput filter={options.length === 0 ? filter : { ...filter, options, names }} value={value} />;
}

/** Native elements, because nine Mantine inputs cost script time on each visit of a list. */
function FilterInput({ filter: { name, label, options, names, type }, value }: { filter: Filter; value: string }) {
  const words = useWords();
  const id = useId();
  const textOf = (option: string) =>
    names?.[option] ?? words.states[option] ?? words.whyNot[option] ?? words.subjects[option] ?? option;
  const own = { id, name, defaultValue: value };
  return (
    <div className="filter">
      <label htmlFor={id}>{label}</label>
      {options ? (
        // A selection applies immediately.
        <select {...own} onChange={({ currentTarget }) => currentTarget.form?.requestSubmit()}>
          <option value="">{words.any}</option>
          {options.map((option) => (
            <option key={option} value={option}>
              {textOf(option)}
            </option>
          ))}
        </select>
      ) : (
        <input {...own} type={type === 'date' && hasTime(value) ? 'datetime-local' : (type ?? 'text')} />
      )}
    </div>
  );
}

function Rows<Item>({ title, empty, pages, ...table }: ListPageProps<Item>) {
  const words = useWords();
  const items = pages.data?.pages.flatMap((page) => page.items) ?? [];
  const { current, body } = useWalk(items.length);
  useEnoughRows(pages, items.length);
  if (!pages.data) return pages.error ? <Failed error={pages.error} again={() => void pages.refetch()} /> : <Loading />;
  if (items.length === 0 && !pages.hasNextPage) return <Empty>{empty}</Empty>;
  return (
    <>
      <Table label={title} {...table} items={items} current={current} body={body} />
      {pages.hasNextPage ? (
        <Group justify="center" p="sm">
          <Button variant="default" size="xs" loading={pages.isFetchingNextPage} onClick={() => pages.fetchNextPage()}>
            {words.more}
          </Button>
        </Group>
      ) : null}
    </>
  );
}

/**
 * The server checks a limited number of rows per page, so a rare match leaves pages short. After five pages the user decides.
 */
function useEnoughRows<Item>(pages: Pages<Item>, count: number) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  const isShort = count < PAGE_ROWS && (data?.pages.length ?? 0) < 5;
  const isWanted = isShort && error === null && hasNextPage && !isFetchingNextPage;
  useEffect(() => {
    if (isWanted) fetchNextPage();
  }, [isWanted, fetchNextPage]);
}

/** The keys j and k move through the rows, and Enter opens the current row. */
function useWalk(count: number) {
  const [current, setCurrent] = useState(-1);
  const body = useRef<HTMLTableSectionElement>(null);
  const walk = (step: number) => {
    const next = Math.max(0, Math.min(count - 1, current + step));
    setCurrent(next);
    body.current?.rows[next]?.scrollIntoView({ block: 'nearest' });
  };
  useHotkeys([
    // The same keys on a Cyrillic keyboard.
    ...['j', 'о'].map((key): HotkeyItem => [key, () => walk(1)]),
    ...['k', 'л'].map((key): HotkeyItem => [key, () => walk(-1)]),
    [
      'Enter',
      () => {
        const path = body.current?.rows[current]?.dataset['path'];
        if (path) openPage(path as PagePath);
      },
      { preventDefault: false },
    ],
  ]);
  return { current, body };
}
