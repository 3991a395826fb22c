/** The operator's home page: everything that needs a user's action, by age and amount, each with its next action. */
import { type ReactNode, useState } from 'react';
import type { Permission } from '../../../../gateway/contract/permissions.ts';
import { useMay } from '../../api/session.ts';
import { now as currentTime } from '../../browser.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import { Card, Notice } from '../../parts/elements/elements.tsx';
import { type Column, Table } from '../../parts/elements/table.tsx';
import { setFilters, useAddressFilters } from '../../parts/links/address.ts';
import { ButtonLink } from '../../parts/links/button-link.tsx';
import { useMerchantName } from '../../parts/links/merchant-link.tsx';
import { PageLink } from '../../parts/links/page-link.tsx';
import {
  callbackListPath,
  depositPath,
  differencePath,
  heldPath,
  merchantPath,
  type PagePath,
  payoutPath,
  proposalPath,
  railPath,
} from '../../parts/links/paths.ts';
import { Loading } from '../../parts/loading/loading.tsx';
import { Empty } from '../../parts/loading/shown.tsx';
import { Money } from '../../parts/money/money.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { Since } from '../../parts/time/since.tsx';
import { inboxPages } from '../../words/operator/inbox.ts';
import { FirstSteps } from './first-steps-panel.tsx';
import { AGES, type Age, ageOf, type InboxItem, type InboxKind, inOrder, moneyOf } from './inbox.ts';
import { useInbox } from './use-inbox.ts';

const words = inboxPages.inbox;

export default function InboxPage() {
  const { items, isReading, isPartial, failed } = useInbox();
  const [now] = useState(currentTime);
  const { kind } = useAddressFilters();
  const shown = inOrder(items, now).filter((item) => kind === undefined || item.kind === kind);
  return (
    <div className="stack">
      <PageTitle>{words.title}</PageTitle>
      <FirstSteps />
      {failed.map((message) => (
        <Notice key={message} color="red" role="alert">
          {message}
        </Notice>
      ))}
      {isReading ? <Loading /> : null}
      {items.length === 0 && !isReading ? (
        <Card>
          <Empty>{words.allWell}</Empty>
        </Card>
      ) : null}
      {items.length > 0 ? (
        <>
          <Overview items={items} now={now} chosen={kind} />
          <Card>
            <Table label={words.title} columns={COLUMNS} items={shown} keyOf={({ key }) => key} pathOf={pathOf} />
          </Card>
          {isPartial ? <p className="tiny muted">{words.atLeast}</p> : null}
        </>
      ) : null}
    </div>
  );
}

/** The number of items of each kind by age, with their amounts. A row filters by its kind. */
function Overview({ items, now, chosen }: { items: readonly InboxItem[]; now: Date; chosen: string | undefined }) {
  const kinds = [...Map.groupBy(items, ({ kind }) => kind)];
  const show = (kind: InboxKind | undefined) => setFilters(kind === undefined || kind === chosen ? {} : { kind });
  const columns: readonly Column<(typeof kinds)[number]>[] = [
    {
      label: words.kind,
      cell: ([kind]) => (
        <button type="button" className="as-link" aria-pressed={kind === chosen} onClick={() => show(kind)}>
          {words.kinds[kind]}
        </button>
      ),
    },
    ...AGES.map((age) => ({
      label: words.ages[age],
      isEnd: true,
      cell: ([, its]: (typeof kinds)[number]) => (
        <Count items={its.filter((item) => ageOf(item, now) === age)} age={age} />
      ),
    })),
    {
      label: words.total,
      isEnd: true,
      cell: ([, its]) =>
        moneyOf(its)
          .map((money) => <Money key={money.currency} {...money} />)
          .flatMap(apart),
    },
  ];
  return (
    <Card>
      <Table label={words.byAge} columns={columns} items={kinds} keyOf={([kind]) => kind} />
    </Card>
  );
}

/** Separates two amounts with a space. */
const apart = (amount: ReactNode, place: number) => (place === 0 ? [amount] : [' ', amount]);

function Detail({ item: { source, detail } }: { item: InboxItem }) {
  const merchantId = (source !== null && 'merchantId' in source && source.merchantId) || '';
  return <span className="muted">{[useMerchantName(merchantId), detail].filter(Boolean).join(' · ')}</span>;
}

/** A row that has waited for a day has the colour of a failure. */
function Count({ items, age }: { items: readonly InboxItem[]; age: Age }) {
  if (items.length === 0) return null;
  return <strong className={age === 'older' ? 'late' : undefined}>{items.length}</strong>;
}

const COLUMNS: readonly Column<InboxItem>[] = [
  { label: words.kind, cell: ({ kind }) => words.kinds[kind] },
  {
    label: words.subject,
    cell: (item) => (
      <>
        <PageLink to={pathOf(item)}>{item.subject}</PageLink>
        <br />
        <Detail item={item} />
      </>
    ),
  },
  { label: words.money, cell: ({ money }) => (money === null ? null : <Money {...money} />), isEnd: true },
  { label: words.since, cell: ({ since }) => <Since at={since} /> },
  { label: words.next, cell: (item) => <NextAct item={item} />, isEnd: true },
];

function pathOf(item: InboxItem): PagePath {
  switch (item.kind) {
    case 'payout':
    case 'changed':
    case 'approval':
      return payoutPath(item.source.merchantId, item.source.payoutId);
    case 'proposal':
      return proposalPath(item.source.proposalId);
    case 'payment':
      return depositPath(item.source.merchantId, item.source.orderId);
    case 'held':
      return heldPath(item.source.rail, item.source.transferKey);
    case 'difference':
      return differencePath(item.source);
    case 'callbacks':
      return callbackListPath({ merchantId: item.source.merchantId, state: 'undelivered' });
    case 'lane':
      return callbackListPath({ merchantId: item.source.merchantId, state: 'due' });
    case 'float':
    case 'rail':
      return railPath(item.source.rail);
    case 'pause':
      return PLACE_OF_PAUSE[item.source.scope]?.(item.source.target) ?? '/rails';
    case 'reset':
      return '/team';
  }
}

const PLACE_OF_PAUSE: Readonly<Record<string, (target: string) => PagePath>> = {
  merchant: merchantPath,
  rail: railPath,
};

const SMALL = { size: 'compact-sm' } as const;

/** Actions that need no explanation run here; the others link to their page. */
function NextAct({ item }: { item: InboxItem }) {
  const may = useMay();
  const name = `: ${item.subject}`;
  if (item.kind === 'payout' && may('payouts:write'))
    return (
      <ActButton
        act="payouts.ask"
        params={{ merchantId: item.source.merchantId, payoutId: item.source.payoutId }}
        label={words.askBank}
        name={words.askBank + name}
        text={words.askText}
        bodyOf={() => ({})}
        button={SMALL}
      />
    );
  if (item.kind === 'callbacks' && may('callbacks:write'))
    return (
      <ActButton
        act="callbacks.resendUndelivered"
        params={item.source}
        label={words.resend}
        name={words.resend + name}
        text={words.resendText(item.source.merchantId)}
        bodyOf={() => ({})}
        button={SMALL}
      />
    );
  if (item.kind === 'lane' && may('callbacks:write'))
    return (
      <ActButton
        act="callbacks.resend"
        params={{ merchantId: item.source.merchantId, callbackId: item.source.callbackId }}
        label={words.resume}
        name={words.resume + name}
        text={words.resumeText}
        button={SMALL}
      />
    );
  if (item.kind === 'pause' && may('rails:write'))
    return (
      <ActButton
        act="pauses.resume"
        params={item.source}
        label={words.unpause}
        name={words.unpause + name}
        text={words.unpauseText(item.subject)}
        button={SMALL}
      />
    );
  const needed = NEEDED[item.kind];
  const label = needed === undefined || may(needed) ? LEADS_TO[item.kind] : words.open;
  return (
    <ButtonLink to={pathOf(item)} name={label + name}>
      {label}
    </ButtonLink>
  );
}

/** Without this permission, a user can only read the page behind the button. */
const NEEDED: Readonly<Partial<Record<InboxKind, Permission>>> = {
  held: 'deposits:write',
  difference: 'reconciliation:write',
  approval: 'payouts:approve',
  proposal: 'proposals:approve',
};

const LEADS_TO: Readonly<Record<InboxKind, string>> = {
  payout: words.open,
  changed: words.open,
  payment: words.open,
  held: words.settle,
  difference: words.compare,
  approval: words.review,
  proposal: words.review,
  callbacks: words.open,
  lane: words.open,
  float: words.topUp,
  rail: words.topUp,
  pause: words.open,
  reset: words.approve,
};
