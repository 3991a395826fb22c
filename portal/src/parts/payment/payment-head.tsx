/** The heading of a payment's page: its amount and state, a line of facts, and the possible actions. */
import { Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { StateBadge } from '../elements/state-badge.tsx';
import { Money } from '../money/money.tsx';

interface PaymentHeadProps {
  readonly payment: { readonly amount: string; readonly currency: string; readonly state: string };
  /** Empty facts are omitted. */
  readonly facts: readonly (string | null | undefined)[];
  readonly crumbs?: ReactNode;
  /** The actions. */
  readonly children: ReactNode;
}

export function PaymentHead({ payment: { amount, currency, state }, facts, crumbs, children }: PaymentHeadProps) {
  return (
    <div>
      {crumbs}
      <Group justify="space-between" align="flex-start">
        <div>
          <Group gap="sm">
            <Title order={1} size="h2">
              <Money amount={amount} currency={currency} />
            </Title>
            <StateBadge state={state} />
          </Group>
          <p className="small muted">{facts.filter(Boolean).join(' · ')}</p>
        </div>
        {children}
      </Group>
    </div>
  );
}
