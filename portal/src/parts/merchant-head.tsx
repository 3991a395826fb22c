/** The heading of a page about one merchant. The operator's people also see whose page it is, and its other pages. */
import { Group, Title } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMay, useSession } from '../api/session.ts';
import { useWords } from '../words/words.ts';
import { PageLink } from './page-link.tsx';
import { balancesPath, batchesPath, developersPath, newPayoutPath, settingsPath, teamPath } from './paths.ts';

/** The merchant of the address, or the person's own. */
export function useMerchantId(): string {
  const own = useSession().merchantId;
  const { merchantId = own ?? '' } = useParams({ strict: false });
  return merchantId;
}

export function MerchantHead({ title, side }: { title: string; side?: ReactNode }) {
  const { navigation, newPayout } = useWords();
  const may = useMay();
  const isOperator = useSession().merchantId === null;
  const merchantId = useMerchantId();
  return (
    <Group justify="space-between" align="flex-end">
      <div>
        <Title order={1} size="h3">
          {title}
          {isOperator && merchantId !== '' ? ` · ${merchantId}` : ''}
        </Title>
        {isOperator && merchantId !== '' ? (
          <Group gap="md" mt={4}>
            <PageLink to={settingsPath(merchantId)}>{navigation.settings}</PageLink>
            <PageLink to={developersPath(merchantId)}>{navigation.developers}</PageLink>
            <PageLink to={teamPath(merchantId)}>{navigation.team}</PageLink>
            <PageLink to={balancesPath(merchantId)}>{navigation.balances}</PageLink>
            <PageLink to={`/payouts?merchantId=${merchantId}`}>{navigation.payouts}</PageLink>
            <PageLink to={batchesPath(merchantId)}>{navigation.batches}</PageLink>
            {may('payouts:create') ? <PageLink to={newPayoutPath(merchantId)}>{newPayout.title}</PageLink> : null}
            <PageLink to={`/deposits?merchantId=${merchantId}`}>{navigation.deposits}</PageLink>
          </Group>
        ) : null}
      </div>
      {side}
    </Group>
  );
}
