/** One held transfer: the deposits to which it may belong, and its credit or return. */
import { Badge, Button, Grid, Group, Paper, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { ListedTransfer } from '../../../../gateway/contract/endpoints/lists.ts';
import type { Rehearsal } from '../../../../gateway/contract/parts/rehearsals.ts';
import { ApiError } from '../../api/api-error.ts';
import { rehearse } from '../../api/client.ts';
import { useReading } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import { RehearsalShown } from '../../parts/acts/rehearsal.tsx';
import { Panel } from '../../parts/elements/panel.tsx';
import { StateBadge } from '../../parts/elements/state-badge.tsx';
import { MerchantLink } from '../../parts/links/merchant-link.tsx';
import { PageLink } from '../../parts/links/page-link.tsx';
import { depositPath, payoutPath } from '../../parts/links/paths.ts';
import { Empty, Shown } from '../../parts/loading/shown.tsx';
import { Money } from '../../parts/money/money.tsx';
import { Crumbs } from '../../parts/page/crumbs.tsx';
import { Details } from '../../parts/page/details.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { WhoMay } from '../../parts/page/who-may.tsx';
import { PaymentHead } from '../../parts/payment/payment-head.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import { operatorPages } from '../../words/operator/operator-pages.ts';
import { useWords } from '../../words/words.ts';
import { type Candidate, candidatesOf, speaksFor } from './deposit-candidates.ts';

const words = operatorPages.held;

export default function HeldPage() {
  const { rail = '', transferKey = '' } = useParams({ strict: false }) as Record<string, string>;
  const found = useReading('transfers.list', { query: { rail, transferKey, limit: 1 } });
  return (
    <Shown of={found} isPage>
      {({ items: [transfer] }) =>
        transfer ? (
          <Stack>
            <Headline transfer={transfer} />
            <Grid>
              <Grid.Col span={{ base: 12, md: 8 }}>
                {transfer.state === 'held' ? (
                  <Stack gap="xs">
                    <Candidates transfer={transfer} />
                    <WhoMay permission="deposits:write" />
                  </Stack>
                ) : (
                  <Settled transfer={transfer} />
                )}
              </Grid.Col>
              <Grid.Col span={{ base: 12, md: 4 }}>
                <Facts transfer={transfer} />
              </Grid.Col>
            </Grid>
          </Stack>
        ) : (
          <>
            <PageTitle>{words.title}</PageTitle>
            <Empty>{words.unknown}</Empty>
          </>
        )
      }
    </Shown>
  );
}

function Headline({ transfer }: { transfer: ListedTransfer }) {
  const { reason, reasonHint, held } = useWords();
  const { rail, transferKey, state, originator, mismatch } = transfer;
  const may = useMay();
  return (
    <PaymentHead
      payment={transfer}
      facts={[originator.name, rail, mismatch && (words.mismatches[mismatch] ?? mismatch)]}
      crumbs={<Crumbs to="/held?state=held" title={held.title} name={transferKey} />}
    >
      {state === 'held' && may('deposits:write') ? (
        <ActButton
          act="transfers.return"
          params={{ rail, transferKey }}
          label={words.giveBack}
          text={words.giveBackText(originator.name)}
          fields={[{ name: 'reason', label: reason, isRequired: true, isLong: true, placeholder: reasonHint }]}
        />
      ) : null}
    </PaymentHead>
  );
}

function Facts({ transfer }: { transfer: ListedTransfer }) {
  const { held, deposits, payouts } = useWords();
  const { originator, payTo, merchantId, transferKey, bookedAt, recordedAt } = transfer;
  return (
    <Details
      title={words.facts}
      rows={[
        { name: deposits.originator, value: originator.name },
        { name: words.account, value: originator.account },
        { name: words.institution, value: originator.institution },
        { name: words.concept, value: originator.concept },
        { name: words.tracking, value: originator.trackingKey, copy: originator.trackingKey },
        { name: deposits.payTo, value: payTo, copy: payTo },
        {
          name: payouts.merchant,
          value: merchantId && <MerchantLink merchantId={merchantId} />,
        },
        { name: held.key, value: <span className="code">{transferKey}</span>, copy: transferKey },
        { name: held.booked, value: <Moment at={bookedAt} /> },
        { name: words.recorded, value: <Moment at={recordedAt} /> },
      ]}
    />
  );
}

/** The outcome of the held transfer. */
function Settled({
  transfer: { resolution, resolvedAt, returnId, merchantId, orderId },
}: {
  transfer: ListedTransfer;
}) {
  return (
    <Panel title={words.settled}>
      <Stack gap={4}>
        <Text size="sm">
          {resolution || words.byItself} · <Moment at={resolvedAt} />
        </Text>
        {returnId === null ? null : <PageLink to={payoutPath(merchantId, returnId)}>{words.returnPayout}</PageLink>}
        {orderId === null ? null : <PageLink to={depositPath(merchantId, orderId)}>{orderId}</PageLink>}
      </Stack>
    </Panel>
  );
}

const FEW = 20;

/** The orders with the same address and those with the same amount, including the order that owns the address. */
function Candidates({ transfer }: { transfer: ListedTransfer }) {
  const { merchantId, payTo, currency, amount } = transfer;
  const ofMerchant = { merchantId, limit: FEW };
  const sameAddress = useReading('deposits.list', { query: { ...ofMerchant, payTo } }, payTo !== '');
  const sameAmount = useReading('deposits.list', {
    query: { ...ofMerchant, currency, minAmount: amount, maxAmount: amount },
  });
  const latest = useReading('deposits.list', { query: ofMerchant });
  return (
    <Panel title={words.candidates}>
      <Shown of={latest}>
        {({ items }) => {
          const all = [...(sameAddress.data?.items ?? []), ...(sameAmount.data?.items ?? []), ...items];
          const ranked = candidatesOf(transfer, all).filter(({ score }) => score > 0);
          return ranked.length === 0 ? (
            <Empty>{words.noCandidate}</Empty>
          ) : (
            <Stack gap="sm">
              {ranked.slice(0, 8).map((candidate) => (
                <CandidateCard
                  key={`${candidate.deposit.merchantId}/${candidate.deposit.orderId}`}
                  candidate={candidate}
                  transfer={transfer}
                />
              ))}
            </Stack>
          );
        }}
      </Shown>
    </Panel>
  );
}

function CandidateCard({
  candidate: { deposit, reasons },
  transfer,
}: {
  candidate: Candidate;
  transfer: ListedTransfer;
}) {
  const { reason, reasonHint } = useWords();
  const may = useMay();
  const { merchantId, orderId, amount, received, currency, state, createdAt } = deposit;
  const { rail, transferKey } = transfer;
  const to = { merchantId, orderId };
  return (
    <Paper withBorder p="sm" component="section" aria-label={orderId}>
      <Group justify="space-between" align="flex-start">
        <div>
          <Group gap="sm">
            <PageLink to={depositPath(merchantId, orderId)}>{orderId}</PageLink>
            <Money amount={amount} currency={currency} />
            <StateBadge state={state} />
          </Group>
          <Text size="sm" className="muted">
            {merchantId} · <Moment at={createdAt} /> · {words.received} {received}
          </Text>
          <Group gap={4} mt={4}>
            {reasons.map((each) => (
              <Badge key={each} variant="light" radius="sm" color={speaksFor(each) ? 'green' : 'gray'} tt="none">
                {words.reasons[each]}
              </Badge>
            ))}
          </Group>
        </div>
        {may('deposits:write') ? (
          <ActButton
            act="transfers.resolve"
            params={{ rail, transferKey }}
            label={words.credit}
            name={`${words.credit}: ${orderId}`}
            text={words.creditText(orderId)}
            fields={[{ name: 'reason', label: reason, isRequired: true, isLong: true, placeholder: reasonHint }]}
            bodyOf={({ reason: why = '' }) => ({ to, reason: why })}
            button={{ size: 'compact-sm' }}
          />
        ) : null}
      </Group>
      {may('deposits:write') ? <Journal rail={rail} transferKey={transferKey} to={to} /> : null}
    </Paper>
  );
}

interface JournalProps {
  readonly rail: string;
  readonly transferKey: string;
  readonly to: { readonly merchantId: string; readonly orderId: string };
}

/** The journal that would be posted. */
function Journal({ rail, transferKey, to }: JournalProps) {
  const [rehearsal, setRehearsal] = useState<Rehearsal | string | null>(null);
  const read = async () => {
    try {
      const body = { to, reason: words.preview };
      setRehearsal(await rehearse('transfers.resolve', { params: { rail, transferKey }, body }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setRehearsal(error.message);
    }
  };
  return (
    <Stack gap="xs" mt="xs" align="flex-start">
      {rehearsal === null ? (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => void read()}
          aria-label={`${words.preview}: ${to.orderId}`}
        >
          {words.preview}
        </Button>
      ) : typeof rehearsal === 'string' ? (
        <Text size="sm" role="alert">
          {rehearsal}
        </Text>
      ) : (
        <RehearsalShown rehearsal={rehearsal} />
      )}
    </Stack>
  );
}
