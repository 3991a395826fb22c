/** The search for a payment by any identifier or detail. The key / opens it. */
import { Combobox, Loader, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { FoundItem } from '../../../gateway/contract/find.ts';
import { useReading } from '../api/queries.ts';
import { Money } from '../parts/money.tsx';
import { callbackPath, depositPath, payoutPath } from '../parts/paths.ts';
import { StateBadge } from '../parts/state-badge.tsx';
import type { Words } from '../words/en/en.ts';
import { useWords } from '../words/words.ts';

const PATHS: Readonly<Record<FoundItem['list'], (merchantId: string, id: string) => string>> = {
  payouts: payoutPath,
  refunds: payoutPath,
  deposits: depositPath,
  payments: depositPath,
  transfers: (_, id) => `/held?transferKey=${encodeURIComponent(id.slice(id.indexOf('/') + 1))}`,
  callbacks: callbackPath,
};

export function SearchBox() {
  const words = useWords();
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), 200);
  const found = useReading('payments.find', { query: { q } }, q.length >= 2);
  useHotkeys([['/', () => input.current?.focus()]]);
  const items = q.length >= 2 ? (found.data?.items ?? []) : [];
  const { selectFirstOption } = combobox;
  // Enter opens the first match.
  useEffect(() => {
    if (found.data) selectFirstOption();
  }, [found.data, selectFirstOption]);
  const open = (path: string) => {
    setText('');
    combobox.closeDropdown();
    input.current?.blur();
    void navigate({ to: path as never });
  };
  return (
    <Combobox store={combobox} onOptionSubmit={open} withinPortal={false}>
      <Combobox.Target>
        <TextInput
          ref={input}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            combobox.openDropdown();
          }}
          onFocus={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          placeholder={words.search}
          aria-label={words.search}
          leftSection={found.isFetching ? <Loader size={14} /> : <IconSearch size={16} />}
          rightSection={<kbd aria-hidden>/</kbd>}
          size="sm"
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={q.length < 2}>
        <Combobox.Options aria-label={words.search} mah={400} style={{ overflowY: 'auto' }}>
          {items.map((item) => (
            <Found key={`${item.list} ${item.merchantId} ${item.id} ${item.matched}`} item={item} />
          ))}
          {items.length === 0 && found.data ? <Combobox.Empty>{words.searchNothing}</Combobox.Empty> : null}
          {found.error ? <Combobox.Empty>{found.error.message}</Combobox.Empty> : null}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

function Found({ item }: { item: FoundItem }) {
  const words = useWords();
  const { list, merchantId, id, amount, currency, state, shown, matched } = item;
  return (
    <Combobox.Option value={PATHS[list](merchantId, id)}>
      <Text size="sm" fw={600}>
        {id} · <Money amount={amount} currency={currency} /> <StateBadge state={state} />
      </Text>
      <Text size="xs" className="muted">
        {[listName(list, words), merchantId, shown, words.searchMatched[matched]].filter(Boolean).join(' · ')}
      </Text>
    </Combobox.Option>
  );
}

function listName(list: FoundItem['list'], { payouts, deposits, callbacks }: Words): string {
  return {
    ...{ payouts: payouts.title, refunds: deposits.refunds, deposits: deposits.title },
    ...{ payments: deposits.attempts, transfers: deposits.transfers, callbacks: callbacks.title },
  }[list];
}
