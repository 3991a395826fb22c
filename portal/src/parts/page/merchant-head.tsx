/** The heading of a page about one merchant. Operator users also see the merchant's name and its other pages. */
import { Group } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMay, useSession } from '../../api/session.ts';
import { useWords } from '../../words/words.ts';
import { ActButton } from '../acts/act-button.tsx';
import { useMerchantName } from '../links/merchant-link.tsx';
import { PageLink } from '../links/page-link.tsx';
import {
  balancesPath,
  batchesPath,
  developersPath,
  merchantPath,
  newPayoutPath,
  settingsPath,
  teamPath,
} from '../links/paths.ts';
import { PageTitle } from './page-title.tsx';

/** Returns the merchant in the URL, or the user’s own. */
export function useMerchantId(): string {
  const own = useSession().merchantId;
  const { merchantId = own ?? '' } = useParams({ strict: false });
  return merchantId;
}

export function MerchantHead({ title, side }: { title: string; side?: ReactNode }) {
  const { navigation, newPayout, viewing, reason } = useWords();
  const may = useMay();
  const isOperator = useSession().merchantId === null;
  const merchantId = useMerchantId();
  const name = useMerchantName(merchantId);
  return (
    <Group justify="space-between" align="flex-end">
      <div>
        <PageTitle>
          {title}
          {isOperator && merchantId !== '' ? ` · ${merchantId}` : ''}
          {name === '' || name === title ? '' : ` · ${name}`}
        </PageTitle>
        {isOperator && merchantId !== '' ? (
          <Group gap="md" mt={4}>
            <PageLink to={merchantPath(merchantId)}>{viewing.overview}</PageLink>
            <PageLink to={settingsPath(merchantId)}>{navigation.settings}</PageLink>
            <PageLink to={developersPath(merchantId)}>{navigation.developers}</PageLink>
            <PageLink to={teamPath(merchantId)}>{navigation.team}</PageLink>
            <PageLink to={balancesPath(merchantId)}>{navigation.balances}</PageLink>
            <PageLink to={`/payouts?merchantId=${merchantId}`}>{navigation.payouts}</PageLink>
            <PageLink to={batchesPath(merchantId)}>{navigation.batches}</PageLink>
            {may('payouts:create') ? <PageLink to={newPayoutPath(merchantId)}>{newPayout.title}</PageLink> : null}
            <PageLink to={`/deposits?merchantId=${merchantId}`}>{navigation.deposits}</PageLink>
            <ActButton
              act="session.viewAs"
              params={{ merchantId }}
              label={viewing.button}
              text={viewing.text}
              fields={[{ name: 'reason', label: reason, isRequired: true, isLong: true }]}
              button={{ size: 'compact-sm' }}
              onDone={() => window.location.assign('/')}
            />
          </Group>
        ) : null}
      </div>
      {side}
    </Group>
  );
}
