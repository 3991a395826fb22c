/**
 * The URL of a page. Only this file passes paths and filters to the router, whose types cover neither. The first page is shown
 * before the router loads, and stays outside it.
 */
import type { AnyRouter } from '@tanstack/react-router';
import { createContext, type MouseEvent, useContext, useSyncExternalStore } from 'react';
import type { PagePath } from './paths.ts';

/** Casts a path to the type of the router’s links. */
export const toRoute = (path: PagePath) => path as never;

/** The query parameters of a URL. */
export type Filters = Readonly<Record<string, string>>;

export const filtersOf = (search: string): Filters => Object.fromEntries(new URLSearchParams(search));

interface Place {
  readonly pathname: string;
  /** The filters of the first page. Null if another page is shown. */
  readonly first: Filters | null;
}

let place: Place | undefined;
const listeners = new Set<() => void>();

function placeNow(): Place {
  const { pathname, search } = window.location;
  place ??= { pathname, first: pathname === '/' ? filtersOf(search) : null };
  return place;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let isRouted = false;

/** Reports the page that the router currently shows. */
export function showPlace(next: Place): void {
  isRouted = true;
  setPlace(next);
}

function setPlace(next: Place): void {
  place = next;
  for (const listener of listeners) listener();
}

export const usePlace = (): Place => useSyncExternalStore(subscribe, placeNow);

/** The filters of the pages inside the router. */
export const FiltersContext = createContext<Filters | null>(null);

export function useAddressFilters(): Filters {
  const { first } = usePlace();
  return useContext(FiltersContext) ?? first ?? {};
}

interface HistoryOptions {
  /** If true, the Back button returns to the page before this one. */
  readonly replace?: boolean;
}

let loadRouter = (): Promise<AnyRouter> => Promise.reject(new Error('No router'));

/** Sets the loader of the router, whose pages import this file. */
export function routeBy(load: typeof loadRouter): void {
  loadRouter = load;
}

const navigate = async (options: HistoryOptions & { readonly to: string; readonly search?: object }): Promise<void> =>
  (await loadRouter()).navigate(options as never);

export function openPage(to: PagePath, options: HistoryOptions = {}): void {
  // Until the router has loaded, the frame shows that the page is loading.
  const { pathname } = new URL(to, window.location.href);
  if (!isRouted && pathname !== placeNow().pathname) setPlace({ pathname, first: null });
  // Without the router, the browser opens the page.
  navigate({ to, ...options }).catch(() => window.location.assign(to));
}

/** Replaces all filters in the URL. Undefined filters are removed. */
export function setFilters(filters: Readonly<Record<string, string | undefined>>, options: HistoryOptions = {}): void {
  void navigate({ to: '.', search: filters, ...options }).catch(() => {});
}

/** Returns the handlers of a link to another page. `onNear` is called when the pointer or the focus reaches the link. */
export function linkTo(to: PagePath, { onNear, onOpen }: { onNear?: () => void; onOpen?: () => void } = {}) {
  const near = () => {
    onNear?.();
    void loadRouter()
      .then((router) => router.preloadRoute({ to: toRoute(to) }))
      .catch(() => {});
  };
  const onClick = (event: MouseEvent) => {
    // The browser then opens another tab or window.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen?.();
    openPage(to);
  };
  return { onClick, onPointerEnter: near, onFocus: near };
}
