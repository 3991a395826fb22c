/** An action or a call before sign-in: at most one runs at a time, and its failure becomes a message. */
import { useState } from 'react';
import { ApiError } from '../api/api-error.ts';

export interface Submission {
  readonly isBusy: boolean;
  readonly message: string | null;
  readonly attempt: (act: () => Promise<unknown>) => Promise<void>;
}

/**
 * `otherwise` is the message for a failure that did not come from the gateway, such as a passkey prompt that the user closed.
 */
export function useSubmission(otherwise: string): Submission {
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
