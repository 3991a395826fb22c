/** The address of a page. Only this file hands paths and filters to the router, whose table of pages types neither. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { PagePath } from './paths.ts';

/** Returns a path as the router’s links take it. */
export const toRoute = (path: PagePath) => path as never;

interface HistoryOptions {
  /** Back then leads to the page before this one. */
  readonly replace?: boolean;
}

export function useOpenPage() {
  const navigate = useNavigate();
  return useCallback(
    (to: PagePath, options: HistoryOptions = {}) => void navigate({ to: toRoute(to), ...options }),
    [navigate],
  );
}

/** Returns the filters after the question mark. */
export const useAddressFilters = () => useSearch({ strict: false }) as Readonly<Record<string, string>>;

/** Replaces all filters of the address. An undefined one is left out. */
export function useSetFilters() {
  const navigate = useNavigate();
  return (filters: Readonly<Record<string, string | undefined>>, options: HistoryOptions = {}) =>
    void navigate({ to: '.', search: filters as never, ...options });
}
