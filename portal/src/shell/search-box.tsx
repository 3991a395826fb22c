/** The search for a payment by any identifier or detail. The key / opens it. */
import { useDebouncedValue, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { FoundItem } from '../../../gateway/contract/endpoints/find.ts';
import type { Merchant } from '../../../gateway/contract/endpoints/merchants.ts';
import { useReading } from '../api/queries.ts';
import { useMay, useSession } from '../api/session.ts';
import { StateBadge } from '../parts/elements/state-badge.tsx';
import { openPage } from '../parts/links/address.ts';
import { callbackPath, depositPath, merchantPath, type PagePath, payoutPath } from '../parts/links/paths.ts';
import { Money } from '../parts/money/money.tsx';
import type { Words } from '../words/en/en.ts';
import { useWords } from '../words/words.ts';

const PATHS: Readonly<Record<FoundItem['list'], (merchantId: string, id: string) => PagePath>> = {
  payouts: payoutPath,
  refunds: payoutPath,
  deposits: depositPath,
  payments: depositPath,
  transfers: (_, id) => `/held?transferKey=${encodeURIComponent(id.slice(id.indexOf('/') + 1))}`,
  callbacks: callbackPath,
};

/** A merchant, found by id or name, or a payment. */
type Option = Merchant | FoundItem;

const pathOf = (option: Option) =>
  'list' in option ? PATHS[option.list](option.merchantId, option.id) : merchantPath(option.merchantId);

function useMerchants(text: string, isAsked: boolean): Merchant[] {
  const isOperator = useSession().merchantId === null;
  const isWanted = useMay()('merchants:read') && isOperator && isAsked;
  const merchants = useReading('merchants.list', {}, isWanted).data?.items ?? [];
  const isNamed = ({ merchantId, name }: Merchant) =>
    `${merchantId}\n${name}`.toLowerCase().includes(text.toLowerCase());
  return isWanted ? merchants.filter(isNamed).slice(0, 5) : [];
}

const LEAST_LETTERS = 2;
const OPTIONS = 'search-options';
const optionId = (place: number) => `search-option-${place}`;

export function SearchBox() {
  const words = useWords();
  const isOperator = useSession().merchantId === null;
  const hint = isOperator ? words.searchAll : words.search;
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  // Enter opens the first match, unless an arrow key selected another.
  const [place, setPlace] = useState(0);
  const [q] = useDebouncedValue(text.trim(), 200);
  const isAsked = q.length >= LEAST_LETTERS;
  const found = useReading('payments.find', { query: { q } }, isAsked);
  const focus = () => input.current?.focus();
  useHotkeys([
    ['/', focus],
    ['shift+/', focus],
  ]);
  const merchants = useMerchants(q, isAsked);
  const items: readonly Option[] = [...merchants, ...(isAsked ? (found.data?.items ?? []) : [])];
  const isListOpen = isOpen && isAsked;
  const open = (item: Option | undefined) => {
    if (!item) return;
    setText('');
    input.current?.blur();
    openPage(pathOf(item));
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setPlace((place + 1) % Math.max(items.length, 1)),
    ArrowUp: () => setPlace((place + items.length - 1) % Math.max(items.length, 1)),
    Enter: () => open(items[place]),
    Escape: () => setOpen(false),
  };
  const press = (event: KeyboardEvent) => {
    const act = isListOpen ? keys[event.key] : undefined;
    if (!act) return;
    event.preventDefault();
    act();
  };
  return (
    <div className="search">
      {found.isFetching ? <i className="spinner" /> : <IconSearch size={16} />}
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-expanded={isListOpen}
        aria-controls={OPTIONS}
        aria-autocomplete="list"
        aria-activedescendant={isListOpen && items.length > 0 ? optionId(place) : undefined}
        aria-label={words.search}
        placeholder={hint}
        autoComplete="off"
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setPlace(0);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={press}
      />
      <kbd aria-hidden>/</kbd>
      <div className="found" hidden={!isListOpen}>
        <div id={OPTIONS} role="listbox" aria-label={words.search} hidden={items.length === 0}>
          {items.map((item, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys of the list
            <div
              key={JSON.stringify(item)}
              id={optionId(at)}
              role="option"
              tabIndex={-1}
              aria-selected={at === place}
              // Keep the focus in the input until the option is opened.
              onPointerDown={(event) => event.preventDefault()}
              onPointerMove={() => setPlace(at)}
              onClick={() => open(item)}
            >
              <Found option={item} />
            </div>
          ))}
        </div>
        {items.length === 0 && found.data ? <p>{words.searchNothing}</p> : null}
        {found.error ? <p>{words.failed}</p> : null}
      </div>
    </div>
  );
}

function Found({ option }: { option: Option }) {
  const words = useWords();
  const { merchantId, state } = option;
  const about =
    'list' in option
      ? [listName(option.list, words), merchantId, option.shown, words.searchMatched[option.matched]]
      : [words.payouts.merchant, merchantId];
  return (
    <>
      <p className="row apart small strong">
        <span>
          {'list' in option ? option.id : option.name} <StateBadge state={state} />
        </span>
        {'list' in option ? <Money {...option} /> : null}
      </p>
      <p className="tiny muted">{about.filter(Boolean).join(' · ')}</p>
    </>
  );
}

function listName(list: FoundItem['list'], { payouts, deposits, callbacks }: Words): string {
  return {
    payouts: payouts.title,
    refunds: deposits.refunds,
    deposits: deposits.title,
    payments: deposits.attempts,
    transfers: deposits.transfers,
    callbacks: callbacks.title,
  }[list];
}
