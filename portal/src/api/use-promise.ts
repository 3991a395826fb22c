/** The result of one call, for a page without the query library. */
import { useEffect, useState } from 'react';
import { ApiError } from './api-error.ts';

/** Undefined before the response. */
export type Read<Data> = { readonly data: Data } | { readonly error: ApiError } | undefined;

/** Calls `read` once. The function must be stable across renders. */
export function usePromise<Data>(read: () => Promise<Data>): Read<Data> {
  const [state, setState] = useState<Read<Data>>();
  useEffect(() => {
    let isCurrent = true;
    const show = (next: Read<Data>) => (isCurrent ? setState(next) : undefined);
    read().then(
      (data) => show({ data }),
      (error: unknown) => show({ error: error instanceof ApiError ? error : new ApiError(null) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [read]);
  return state;
}
