/** What a draft of the routes would have changed: the payouts, the cost and the prefunded balance of each rail. */
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Rail } from '../../../../gateway/contract/endpoints/rails.ts';
import type { ReplayedShare, Route } from '../../../../gateway/contract/endpoints/routes.ts';
import type { ApiError } from '../../api/api-error.ts';
import { type Answer, call } from '../../api/client.ts';
import { type Column, Table } from '../../parts/elements/table.tsx';
import { Shown } from '../../parts/loading/shown.tsx';
import { grouped } from '../../parts/money/money.tsx';
import { operatorPages } from '../../words/operator/operator-pages.ts';
import { daysOf } from './forecast.ts';
import { sourceOf } from './route-picture.tsx';

const words = operatorPages.routes.replay;
const DAYS = 7;

export function RouteReplay({ draft, rails }: { draft: readonly Route[]; rails: readonly Rail[] }) {
  const replay = useQuery<Answer<'routes.replay'>, ApiError>({
    queryKey: ['routes.replay', draft],
    queryFn: ({ signal }) => call('routes.replay', { body: { days: DAYS, routes: [...draft] }, signal }),
  });
  return (
    <Shown of={replay}>
      {({ items, payouts, isWhole }) => (
        <Stack gap="xs">
          <Text size="sm" fw={600}>
            {words.title} · {words.counted(payouts, isWhole)}
          </Text>
          <Shares shares={items.filter(isChanged)} rails={rails} />
          <p className="tiny muted">{words.hint}</p>
        </Stack>
      )}
    </Shown>
  );
}

function isChanged({ now, draft }: ReplayedShare): boolean {
  return now.count !== draft.count || now.amount !== draft.amount || now.cost !== draft.cost;
}

function Shares({ shares, rails }: { shares: readonly ReplayedShare[]; rails: readonly Rail[] }) {
  if (shares.length === 0) return <Text size="sm">{words.same}</Text>;
  const side = (name: 'now' | 'draft'): Column<ReplayedShare> => ({
    label: words[name],
    cell: ({ [name]: { count, amount }, currency }) => `${count} · ${grouped(amount)} ${currency}`,
    isEnd: true,
  });
  const columns: readonly Column<ReplayedShare>[] = [
    { label: operatorPages.routes.method, cell: ({ method }) => sourceOf(method, null) },
    {
      label: operatorPages.routes.rail,
      cell: ({ rail, why }) => rail ?? <span title={why}>{`${words.rejected}: ${why}`}</span>,
    },
    side('now'),
    side('draft'),
    {
      label: words.cost,
      cell: ({ now, draft, currency }) => `${grouped(now.cost)} → ${grouped(draft.cost)} ${currency}`,
      isEnd: true,
    },
    { label: words.lasts, cell: (share) => lastsOf(share, rails), isEnd: true },
  ];
  return (
    <Table
      label={words.title}
      columns={columns}
      items={shares}
      keyOf={({ method, currency, rail, why }) => JSON.stringify([method, currency, rail, why])}
    />
  );
}

/** Returns how long the prefunded balance lasts for the draft's payouts of this method. */
function lastsOf({ rail, currency, draft }: ReplayedShare, rails: readonly Rail[]): string | null {
  const float = rails.find(({ name }) => name === rail)?.floats.find((each) => each.currency === currency);
  const days = float?.amount ? daysOf(float.amount, Number(draft.amount) / DAYS) : undefined;
  return days === undefined ? null : words.days(days);
}

/** Returns the routes after a change of one route. If `route` is null, the change removes it. */
export function withRoute(
  routes: readonly Route[],
  key: Pick<Route, 'method' | 'rail' | 'merchantId'>,
  route: Route | null,
): readonly Route[] {
  const others = routes.filter(
    ({ method, rail, merchantId }) => method !== key.method || rail !== key.rail || merchantId !== key.merchantId,
  );
  return route === null ? others : [...others, route];
}
