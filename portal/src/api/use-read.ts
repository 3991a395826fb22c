/** One read of a page that knows no query library. */
import { useEffect, useState } from 'react';
import { ApiError } from './api-error.ts';

/** Undefined: there is no answer yet. */
export type Read<Data> = { readonly data: Data } | { readonly error: ApiError } | undefined;

/** Reads once. `read` must stay the same function. */
export function useRead<Data>(read: () => Promise<Data>): Read<Data> {
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
