/**
 * Follows the events of the gateway, and marks the queries about their objects as stale. The browser reconnects by
 * itself and names the last event that it has seen. A hidden tab stops reading, and continues from there.
 */
import { useEffect } from 'react';
import { makeStale } from './queries.ts';

const CONCERNED: Readonly<Record<string, readonly string[]>> = {
  payout: ['payouts.', 'batches.', 'refunds.', 'balances.'],
  deposit: ['deposits.', 'payments.', 'transfers.', 'balances.'],
  callback: ['callbacks.', 'payouts.show', 'deposits.show'],
  act: [
    'audit.',
    'merchants.',
    'people.',
    'invitations.',
    'tokens.',
    'routes.',
    'rails.',
    'pauses.',
    'differences.',
    'policies.',
    'proposals.',
  ],
};

/** A burst of events reads a page again once. */
const GATHER_MS = 700;

export function useLivePages(isAllowed: boolean): void {
  useEffect(() => {
    if (!isAllowed) return undefined;
    let source: EventSource | undefined;
    let last = 'now';
    let timer: ReturnType<typeof setTimeout> | undefined;
    const concerned = new Set<string>();
    const apply = () => {
      timer = undefined;
      makeStale([...concerned]);
      concerned.clear();
    };
    const open = () => {
      source = new EventSource(`/manage/v1/events/stream?after=${encodeURIComponent(last)}`);
      source.onmessage = ({ lastEventId, data }) => {
        last = lastEventId || last;
        for (const beginning of CONCERNED[(JSON.parse(data) as { object: string }).object] ?? [])
          concerned.add(beginning);
        timer ??= setTimeout(apply, GATHER_MS);
      };
    };
    const follow = () => {
      source?.close();
      source = undefined;
      if (document.visibilityState === 'visible') open();
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      clearTimeout(timer);
      source?.close();
    };
  }, [isAllowed]);
}
