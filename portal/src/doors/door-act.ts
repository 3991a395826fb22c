/** An act or an answer before a session: it runs once at a time, and its failure is a text. */
import { useEffect, useState } from 'react';
import { ApiError } from '../api/api-error.ts';

export interface DoorAct {
  readonly isBusy: boolean;
  readonly message: string | null;
  readonly attempt: (act: () => Promise<unknown>) => Promise<void>;
}

/** `otherwise`: the text of a failure that is not the gateway’s, such as a passkey that nobody used. */
export function useDoorAct(otherwise: string): DoorAct {
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState<string | null>(null);
  const attempt = async (act: () => Promise<unknown>) => {
    if (isBusy) return;
    setBusy(true);
    setMessage(null);
    try {
      await act();
    } catch (error) {
      setMessage(error instanceof ApiError ? error.message : otherwise);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, message, attempt };
}

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
