/** A button that performs one action on every item of the filtered list, after a preview, with its progress and its results. */
import { Alert, Button, Group, Progress, Stack, Text, Textarea } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { makeAllStale } from '../../api/queries.ts';
import { newId } from '../../browser.ts';
import { useWords } from '../../words/words.ts';
import { Dialog } from '../acts/dialog.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { PageLink } from '../links/page-link.tsx';
import { proposalPath } from '../links/paths.ts';
import { Loading } from '../loading/loading.tsx';
import { type BulkItem, workThrough } from './bulk-work.ts';

/** Reads a page of the list. `next` is null after the last page. */
type ReadPage<Item> = (after: string | undefined) => Promise<{ items: readonly Item[]; next: string | null }>;

interface BulkActProps<Item> {
  readonly label: string;
  readonly text: string;
  readonly read: ReadPage<Item>;
  readonly perform: (item: Item, key: string, reason: string) => Promise<unknown>;
  /** Resolves to the reason why the action is impossible for the item, or to null. If undefined, the action itself decides. */
  readonly preview?: ((item: Item) => Promise<string | null>) | undefined;
  readonly columns: readonly Column<Item>[];
  readonly keyOf: (item: Item) => string;
  readonly needsReason?: boolean;
}

/** The maximum number of items, so that the preview stays readable. */
const MOST = 200;

export function BulkAct<Item>(props: BulkActProps<Item>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpen(true)}>
        {props.label}
      </Button>
      <Dialog isOpen={isOpen} close={() => setOpen(false)} title={props.label}>
        {isOpen ? <BulkForm {...props} close={() => setOpen(false)} /> : null}
      </Dialog>
    </>
  );
}

function BulkForm<Item>(props: BulkActProps<Item> & { readonly close: () => void }) {
  const { label, text, needsReason = false, columns, keyOf, close } = props;
  const words = useWords();
  const { items, isMore, failure, isBusy, run, stop } = useBulk(props);
  const [reason, setReason] = useState('');
  if (failure !== null) return <Alert color="red">{failure}</Alert>;
  if (items === null) return <Loading />;
  const left = items.filter(({ state }) => state === 'waiting' || state === 'unknown').length;
  const counts = [...Map.groupBy(items, ({ state }) => state)];
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run(reason);
      }}
    >
      <Stack>
        <Text size="sm">{text}</Text>
        {isMore ? <Text size="sm">{words.bulk.more(String(MOST))}</Text> : null}
        {needsReason ? (
          <Textarea
            label={words.reason}
            required
            maxLength={500}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
        ) : null}
        <div role="status">
          <Progress value={items.length === 0 ? 0 : (100 * (items.length - left)) / items.length} aria-hidden mb={4} />
          <Text size="sm">
            {counts.map(([state, its]) => `${words.bulk.states[state]}: ${its.length}`).join(' · ') || words.bulk.none}
          </Text>
        </div>
        <div className="bulk">
          <Table
            label={label}
            columns={[
              ...columns.map(({ cell, ...column }) => ({
                ...column,
                cell: ({ item }: BulkItem<Item>) => cell(item),
              })),
              { label: words.bulk.result, cell: (each) => <Result {...each} /> },
            ]}
            items={items}
            keyOf={({ item }) => keyOf(item)}
          />
        </div>
        <Group justify="flex-end">
          <Button variant="default" onClick={isBusy ? stop : close}>
            {isBusy ? words.bulk.stop : words.close}
          </Button>
          <Button type="submit" loading={isBusy} disabled={left === 0}>
            {label} ({left})
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Result<Item>({ state, note }: BulkItem<Item>) {
  const { bulk } = useWords();
  if (state === 'proposed') return <PageLink to={proposalPath(note)}>{bulk.states.proposed}</PageLink>;
  return (
    <>
      {bulk.states[state]}
      {note === '' ? null : <span className="muted small"> {note}</span>}
    </>
  );
}

function useBulk<Item>({ read, preview, perform, keyOf }: BulkActProps<Item>) {
  const [items, setItems] = useState<readonly BulkItem<Item>[] | null>(null);
  const [isMore, setMore] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const stopping = useRef(new AbortController());
  const parts = useRef({ read, preview });
  useEffect(() => {
    const gone = new AbortController();
    readAll(parts.current).then(
      (found) => {
        if (gone.signal.aborted) return;
        setItems(found.items);
        setMore(found.isMore);
      },
      (error: Error) => setFailure(error.message),
    );
    return () => {
      gone.abort();
      stopping.current.abort();
    };
  }, []);
  const run = async (reason: string) => {
    if (isBusy || items === null) return;
    stopping.current = new AbortController();
    setBusy(true);
    try {
      const act = (item: Item, key: string) => perform(item, key, reason);
      for await (const result of workThrough(items, act, stopping.current.signal))
        setItems((all) => (all ?? []).map((each) => (keyOf(each.item) === keyOf(result.item) ? result : each)));
    } finally {
      setBusy(false);
      makeAllStale();
    }
  };
  return { items, isMore, failure, isBusy, run, stop: () => stopping.current.abort() };
}

async function readAll<Item>({ read, preview }: Pick<BulkActProps<Item>, 'read' | 'preview'>) {
  const found: Item[] = [];
  let after: string | undefined;
  let next: string | null = null;
  do {
    const page = await read(after);
    found.push(...page.items);
    next = page.next;
    after = next ?? undefined;
  } while (next !== null && found.length < MOST);
  const kept = found.slice(0, MOST);
  const items: BulkItem<Item>[] = [];
  for (const item of kept) {
    const obstacle = preview ? await preview(item) : null;
    items.push({ item, key: newId(), state: obstacle === null ? 'waiting' : 'rejected', note: obstacle ?? '' });
  }
  return { items, isMore: next !== null || found.length > MOST };
}
