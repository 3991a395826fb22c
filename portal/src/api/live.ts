/**
 * Follows the gateway's events, and marks the queries for their objects as stale. After a broken connection the browser
 * reconnects automatically, with the id of the last event that it received. A hidden tab stops reading, and continues from
 * there later.
 */
import { useEffect } from 'react';
import { makeAllStale, makeStale } from './queries.ts';

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

/** Collects a burst of events, so that a page refreshes once. */
const GATHER_MS = 700;
/** A proxy may respond while the gateway restarts, and the gateway rejects an expired session. */
const REOPENED_AFTER_MS = 3_000;

export function useLivePages(isAllowed: boolean): void {
  useEffect(() => {
    if (!isAllowed) return undefined;
    let source: EventSource | undefined;
    let last = 'now';
    let hasOpened = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let reopening: ReturnType<typeof setTimeout> | undefined;
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
      // Before the first event, there is no position to continue from.
      source.onopen = () => {
        if (hasOpened && last === 'now') makeAllStale();
        hasOpened = true;
      };
      // After a response that is not an event stream, the browser does not reconnect.
      source.onerror = ({ currentTarget }) => {
        if (currentTarget !== source || source.readyState !== EventSource.CLOSED) return;
        makeStale(['session.show']);
        reopening = setTimeout(follow, REOPENED_AFTER_MS);
      };
    };
    const follow = () => {
      clearTimeout(reopening);
      source?.close();
      source = undefined;
      if (document.visibilityState === 'visible') open();
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      clearTimeout(timer);
      clearTimeout(reopening);
      source?.close();
    };
  }, [isAllowed]);
}
