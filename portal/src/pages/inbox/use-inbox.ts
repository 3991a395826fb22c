/** The items of the inbox, from the lists that this user may read. */
import { usePolling } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { inboxOf } from './inbox.ts';
import { INBOX_READS, MOST } from './inbox-reads.ts';

/** Reads one source if this user may read it. */
function useSource<Source extends keyof typeof INBOX_READS>(source: Source) {
  const may = useMay();
  const [name, options, permission] = INBOX_READS[source];
  return usePolling<(typeof INBOX_READS)[Source][0]>(name, options as never, may(permission));
}

/** Reads each source that this user may read. */
export function useInbox() {
  const read = {
    payouts: useSource('payouts'),
    payments: useSource('payments'),
    held: useSource('held'),
    differences: useSource('differences'),
    awaiting: useSource('awaiting'),
    proposals: useSource('proposals'),
    undelivered: useSource('undelivered'),
    failing: useSource('failing'),
    rails: useSource('rails'),
    pauses: useSource('pauses'),
    invitations: useSource('invitations'),
  };
  const { payouts, payments, held, awaiting, undelivered } = read;
  const all = Object.values(read);
  return {
    items: inboxOf(Object.fromEntries(Object.entries(read).map(([name, { data }]) => [name, data]))),
    isReading: all.some(({ isLoading }) => isLoading),
    isPartial: [payouts, payments, held, awaiting, undelivered].some(({ data }) => data?.items.length === MOST),
    failed: [...new Set(all.flatMap(({ error }) => (error ? [error.message] : [])))],
  };
}
