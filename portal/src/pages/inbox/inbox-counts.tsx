/** The number of items of each kind in the inbox. */

import { inboxPages } from '../../words/operator/inbox.ts';
import { useWords } from '../../words/words.ts';
import { LinkPanel } from './link-panel.tsx';
import { useInbox } from './use-inbox.ts';

export default function InboxCounts() {
  const { home } = useWords();
  const kinds = [...Map.groupBy(useInbox().items, ({ kind }) => kind)];
  return (
    <LinkPanel
      title={home.needsYou}
      empty={home.allWell}
      links={kinds.map(([kind, { length }]) => ({
        to: `/?kind=${kind}`,
        text: `${inboxPages.inbox.kinds[kind]}: ${length}`,
      }))}
    />
  );
}
