/** The routes as a picture and a table, their limits, and a replay of the last days with a draft. */
import { Group, Stack, Text } from '@mantine/core';
import type { Rail } from '../../../../gateway/contract/endpoints/rails.ts';
import type { Route } from '../../../../gateway/contract/endpoints/routes.ts';
import type { Call } from '../../api/client.ts';
import { usePolling, useReading } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import type { ActField } from '../../parts/acts/act-props.ts';
import { Panel } from '../../parts/elements/panel.tsx';
import { type Column, Table } from '../../parts/elements/table.tsx';
import { PageLink } from '../../parts/links/page-link.tsx';
import { railPath } from '../../parts/links/paths.ts';
import { Shown } from '../../parts/loading/shown.tsx';
import { grouped } from '../../parts/money/money.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { operatorPages } from '../../words/operator/operator-pages.ts';
import { linesOf, RoutePicture, sourceOf } from './route-picture.tsx';
import { RouteReplay, withRoute } from './route-replay.tsx';

const words = operatorPages.routes;

export default function RouteList() {
  const rails = usePolling('rails.list');
  const routes = useReading('routes.list');
  return (
    <Stack>
      <PageTitle>{words.title}</PageTitle>
      <Shown of={rails}>
        {({ items: all }) => (
          <Shown of={routes}>
            {({ items, version }) => (
              <>
                <Panel title={words.picture}>
                  <RoutePicture rails={all} routes={items} />
                  <Text size="xs" className="muted" mt="xs">
                    {words.legend}
                  </Text>
                </Panel>
                <RouteTable rails={all} routes={items} version={version} />
                <Defaults rails={all} routes={items} />
              </>
            )}
          </Shown>
        )}
      </Shown>
    </Stack>
  );
}

interface RouteTableProps {
  readonly rails: readonly Rail[];
  readonly routes: readonly Route[];
  readonly version: string;
}

function RouteTable({ rails, routes, version }: RouteTableProps) {
  const may = useMay();
  const limit = (amount: string | null, currency: string | null) =>
    amount === null ? null : `${grouped(amount)} ${currency ?? ''}`;
  const columns: readonly Column<Route>[] = [
    { label: words.method, cell: ({ method, merchantId }) => sourceOf(method, merchantId) },
    { label: words.rail, cell: ({ rail }) => <PageLink to={railPath(rail)}>{rail}</PageLink> },
    { label: words.rank, cell: ({ rank }) => rank, isEnd: true },
    { label: words.weight, cell: ({ weight }) => weight, isEnd: true },
    { label: words.min, cell: ({ min, currency }) => limit(min, currency), isEnd: true },
    { label: words.max, cell: ({ max, currency }) => limit(max, currency), isEnd: true },
    { label: words.cost, cell: ({ costFixed, costPercent }) => `${costFixed} + ${costPercent} %`, isEnd: true },
    ...(may('rails:write')
      ? [
          {
            label: words.act,
            cell: (route: Route) => <RouteActs route={route} rails={rails} routes={routes} version={version} />,
            isEnd: true,
          },
        ]
      : []),
  ];
  return (
    <Panel
      title={words.table}
      side={may('rails:write') ? <AddRoute rails={rails} routes={routes} version={version} /> : null}
    >
      <Table
        empty={words.empty}
        label={words.table}
        columns={columns}
        items={inOrder(routes)}
        keyOf={({ method, merchantId, rail }) => `${method} ${merchantId ?? ''} ${rail}`}
      />
    </Panel>
  );
}

/** The default rails of methods without routes, which the picture draws as dashed lines. */
function Defaults({ rails, routes }: Omit<RouteTableProps, 'version'>) {
  const lines = linesOf(rails, routes).filter(({ isDefault }) => isDefault);
  const methods = [...Map.groupBy(lines, ({ from }) => from)];
  const columns: readonly Column<(typeof methods)[number]>[] = [
    { label: words.method, cell: ([from]) => from },
    { label: words.inOrder, cell: ([, its]) => its.map(({ rail }) => rail).join(', ') },
  ];
  if (methods.length === 0) return null;
  return (
    <Panel title={words.defaults}>
      <Table label={words.defaults} columns={columns} items={methods} keyOf={([from]) => from} />
    </Panel>
  );
}

function inOrder(routes: readonly Route[]): Route[] {
  const text = ({ method, merchantId }: Route) => `${String(method).padStart(3, '0')} ${merchantId ?? ''}`;
  return [...routes].sort((one, other) => text(one).localeCompare(text(other)) || one.rank - other.rank);
}

function choiceFields(route: Partial<Route>): ActField[] {
  return [
    { name: 'rank', label: words.rank, hint: words.rankHint, initial: String(route.rank ?? 1), isRequired: true },
    { name: 'weight', label: words.weight, hint: words.weightHint, initial: String(route.weight ?? '') },
    { name: 'min', label: words.min, initial: route.min ?? '' },
    { name: 'max', label: words.max, initial: route.max ?? '' },
    { name: 'costFixed', label: words.costFixed, initial: route.costFixed ?? '0', isRequired: true },
    { name: 'costPercent', label: words.costPercent, initial: route.costPercent ?? '0', isRequired: true },
  ];
}

function choicesOf({ rank = '', weight = '', min = '', max = '', costFixed = '', costPercent = '' }) {
  const given = (text: string) => (text === '' ? null : text);
  return {
    rank: Number(rank),
    weight: weight === '' ? null : Number(weight),
    min: given(min),
    max: given(max),
    costFixed,
    costPercent,
  };
}

/** One button per rail of a method, because the rail is part of the route’s name. */
function AddRoute({ rails, routes, version }: RouteTableProps) {
  const pairs = rails.flatMap(({ name, methods }) => methods.map((method) => ({ method, rail: name })));
  const options = pairs
    .sort((one, other) => one.method - other.method)
    .map(({ method, rail }) => ({ value: `${method}/${rail}`, label: `${sourceOf(method, null)} → ${rail}` }));
  return (
    <ActButton
      act="routes.set"
      paramsOf={({ pair = '' }) => {
        const [method = '', rail = ''] = pair.split('/');
        return { method: Number(method), rail };
      }}
      queryOf={({ merchantId = '' }) => (merchantId === '' ? {} : { merchantId })}
      ifMatch={version}
      label={words.add}
      text={words.addText}
      fields={[
        { name: 'pair', label: words.over, options, isRequired: true },
        { name: 'merchantId', label: words.merchant, hint: words.merchantHint },
        ...choiceFields({}),
      ]}
      bodyOf={choicesOf}
      consequences={(request) => <RouteReplay rails={rails} draft={draftOf(routes, request)} />}
      button={{ size: 'compact-sm' }}
    />
  );
}

/** Returns all routes as they would be after the request. */
function draftOf(routes: readonly Route[], { params, query, body }: Call<'routes.set'>): readonly Route[] {
  const key = { ...(params as { method: number; rail: string }), merchantId: query?.merchantId ?? null };
  return withRoute(routes, key, { ...key, currency: null, ...(body as Omit<Route, keyof typeof key | 'currency'>) });
}

function RouteActs({ route, rails, routes, version }: RouteTableProps & { readonly route: Route }) {
  const { method, rail, merchantId } = route;
  const named = `${sourceOf(method, merchantId)} → ${rail}`;
  const common = {
    params: { method, rail },
    query: merchantId === null ? {} : { merchantId },
    ifMatch: version,
    button: { size: 'compact-xs' },
  } as const;
  return (
    <Group gap={4} justify="flex-end">
      <ActButton
        {...common}
        act="routes.set"
        label={words.change}
        name={`${words.change}: ${named}`}
        text={words.changeText(named)}
        fields={choiceFields(route)}
        bodyOf={choicesOf}
        consequences={(request) => <RouteReplay rails={rails} draft={draftOf(routes, request)} />}
      />
      <ActButton
        {...common}
        act="routes.remove"
        label={words.remove}
        name={`${words.remove}: ${named}`}
        text={words.removeText(named)}
        consequences={() => <RouteReplay rails={rails} draft={withRoute(routes, route, null)} />}
      />
    </Group>
  );
}
