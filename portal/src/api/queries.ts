/** The responses that pages have read, by endpoint. A key begins with the endpoint’s name, so events can mark it stale. */
import { QueryCache, QueryClient, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { EndpointName } from '../../../gateway/contract/endpoints.ts';
import { ApiError } from './api-error.ts';
import { type Answer, type Call, call } from './client.ts';

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error, { queryKey: [name] }) {
      const isUnauthenticated = error instanceof ApiError && error.status === 401;
      if (isUnauthenticated && name !== 'session.show') makeStale(['session.show']);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A rejection is final. Only a request without a response is retried.
      retry: (failures, error) => error instanceof ApiError && error.problem === null && failures < 3,
    },
  },
});

type Reading<Name extends EndpointName> = Pick<Call<Name>, 'params' | 'query'>;

export function reading<Name extends EndpointName>(name: Name, options: Reading<Name> = {}) {
  return queryOptions<Answer<Name>, ApiError>({
    queryKey: [name, options.params ?? {}, options.query ?? {}],
    queryFn: ({ signal }) => call(name, { ...options, signal }),
  });
}

export function useReading<Name extends EndpointName>(name: Name, options: Reading<Name> = {}, isWanted = true) {
  return useQuery({ ...reading(name, options), enabled: isWanted });
}

/** Polls a value that no event announces, such as a rail's health. A hidden tab does not poll. */
export function usePolling<Name extends EndpointName>(name: Name, options: Reading<Name> = {}, isWanted = true) {
  return useQuery({ ...reading(name, options), enabled: isWanted, refetchInterval: POLL_MS });
}

const POLL_MS = 20_000;

export type PagedName = {
  [Name in EndpointName]: Answer<Name> extends { readonly items: readonly unknown[]; readonly next: string | null }
    ? Name
    : never;
}[EndpointName];

/** As many rows as a user reads on one screen. A slow device renders them within a second. */
export const PAGE_ROWS = 25;

/** Reads a list page by page. `query` contains no cursor. */
function pagesOf<Name extends PagedName>(name: Name, query: object, params: object) {
  return {
    queryKey: [name, params, query],
    queryFn: ({ pageParam: after, signal }: { pageParam: string | undefined; signal: AbortSignal }) =>
      call(name, {
        params: params as never,
        query: { limit: PAGE_ROWS, ...query, ...(after ? { after } : {}) } as never,
        signal,
      }),
    initialPageParam: undefined,
    getNextPageParam: (page: Answer<Name>) => (page as { next: string | null }).next ?? undefined,
  };
}

export function usePages<Name extends PagedName>(name: Name, query: object, params: object = {}, enabled = true) {
  return useInfiniteQuery<Answer<Name>, ApiError, { pages: Answer<Name>[] }, readonly unknown[], string | undefined>({
    ...pagesOf(name, query, params),
    enabled,
  });
}

/** Reads the first page of a list that a user is about to open. */
export const readAhead = (name: PagedName) => void queryClient.prefetchInfiniteQuery(pagesOf(name, {}, {}) as never);

/** Marks the responses of endpoints with these prefixes as stale. */
export function makeStale(beginnings: readonly string[]): void {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => beginnings.some((beginning) => String(queryKey[0]).startsWith(beginning)),
  });
}

/** Call it after an action, which may have changed anything. Responses that no page shows are read when needed. */
export function makeAllStale(): void {
  void queryClient.invalidateQueries();
}
