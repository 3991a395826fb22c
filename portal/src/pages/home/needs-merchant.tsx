/** The pending work of a merchant user, as far as they may see it. */
import { usePages } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import type { PagePath } from '../../parts/links/paths.ts';
import { useWords } from '../../words/words.ts';
import { LinkPanel } from '../inbox/link-panel.tsx';

type Work = readonly [to: PagePath, count: string, text: (count: string) => string];

export function NeedsMerchant() {
  const { home } = useWords();
  const may = useMay();
  const awaiting = usePages('payouts.awaiting', {}, {}, may('payouts:approve'));
  const undelivered = usePages('callbacks.list', { state: 'undelivered' }, {}, may('callbacks:read'));
  const due = usePages('callbacks.list', { state: 'due' }, {}, may('callbacks:read'));
  // A callback without an attempt may still be in flight.
  const isFailing = due.data?.pages.some(({ items }) => items.some(({ attempts }) => attempts > 0));
  const work: readonly Work[] = [
    ['/approvals', countOf(awaiting), home.toApprove],
    ['/callbacks?state=undelivered', countOf(undelivered), home.undelivered],
    ['/callbacks?state=due', isFailing ? countOf(due) : '0', home.retried],
  ];
  const links = work.filter(([, count]) => count !== '0').map(([to, count, text]) => ({ to, text: text(count) }));
  return <LinkPanel title={home.needsYou} empty={home.allWell} links={links} />;
}

/** A list has no total: beyond its first page the count is a lower bound. */
function countOf({ data, hasNextPage }: ReturnType<typeof usePages<'payouts.awaiting' | 'callbacks.list'>>): string {
  const count = data?.pages.reduce((sum, page) => sum + page.items.length, 0) ?? 0;
  return hasNextPage ? `${count}+` : String(count);
}
