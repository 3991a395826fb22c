/** The objects that belong to a payment, each with a link to its page if it has one. */
import { Group, Stack, Text } from '@mantine/core';
import type { Related } from '../../../../gateway/contract/parts/answer-parts.ts';
import { useWords } from '../../words/words.ts';
import { Panel } from '../elements/panel.tsx';
import { StateBadge } from '../elements/state-badge.tsx';
import { PageLink } from '../links/page-link.tsx';
import { batchPath, depositPath, type PagePath, payoutPath, proposalPath } from '../links/paths.ts';
import { Moment } from '../time/moment.tsx';

export function RelatedPanel({ merchantId, related }: { merchantId: string; related: readonly Related[] }) {
  const { payment } = useWords();
  if (related.length === 0) return null;
  return (
    <Panel title={payment.related}>
      <Stack gap="xs">
        {related.map(({ kind, id, state, at }) => {
          const path = pathOf(merchantId, kind, id);
          return (
            <Group key={`${kind} ${id} ${state} ${at}`} gap="xs">
              <Text size="sm">{payment.relatedKinds[kind]}</Text>
              <Text size="sm">
                {path === null ? <span className="code">{id}</span> : <PageLink to={path}>{id}</PageLink>}
              </Text>
              {state === null ? null : <StateBadge state={state} />}
              {at === null ? null : (
                <Text size="sm" className="muted">
                  <Moment at={at} isShort />
                </Text>
              )}
            </Group>
          );
        })}
      </Stack>
    </Panel>
  );
}

/** A refund that the provider made on its own is not a payout of the gateway. */
function pathOf(merchantId: string, kind: Related['kind'], id: string): PagePath | null {
  switch (kind) {
    case 'order':
      return depositPath(merchantId, id);
    case 'refund':
      return id.startsWith('refund:') ? payoutPath(merchantId, id) : null;
    case 'batch':
      return batchPath(merchantId, id);
    case 'proposal':
      return proposalPath(id);
    default:
      return null;
  }
}
