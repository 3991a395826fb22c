import { Grid, Group, Stack, Text, Title } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { Answer } from '../api/client.ts';
import { useReading } from '../api/queries.ts';
import { useMay, useSession } from '../api/session.ts';
import { ActButton } from '../parts/act-button.tsx';
import { Details, Panel } from '../parts/details.tsx';
import { Moment } from '../parts/moment.tsx';
import { Money } from '../parts/money.tsx';
import { MoneyMoved } from '../parts/payment/money-moved.tsx';
import { CallbackPanel, happeningsOf, Waiting } from '../parts/payment/payment-parts.tsx';
import { Timeline } from '../parts/payment/timeline.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { Shown } from '../parts/states.tsx';
import { useWords } from '../words/words.ts';

type PayoutRecord = Answer<'payouts.show'>;

export default function PayoutPage() {
  const { merchantId = '', payoutId = '' } = useParams({ strict: false });
  const payout = useReading('payouts.show', { params: { merchantId, payoutId } });
  return (
    <Shown of={payout} isPage>
      {(record) => (
        <Stack>
          <Headline payout={record} />
          <Waiting pending={record.pending} />
          <Grid>
            <Grid.Col span={{ base: 12, md: 8 }}>
              <Stack>
                <Timeline happenings={happeningsOf(record.history, record.pending)} />
                <MoneyMoved lines={record.money} />
                <Attempts payout={record} />
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 4 }}>
              <Stack>
                <Facts payout={record} />
                <CallbackPanel callbacks={record.callbacks} />
              </Stack>
            </Grid.Col>
          </Grid>
        </Stack>
      )}
    </Shown>
  );
}

function Headline({ payout }: { payout: PayoutRecord }) {
  return (
    <Group justify="space-between" align="flex-start">
      <div>
        <Group gap="sm">
          <Title order={1} size="h2">
            <Money amount={payout.amount} currency={payout.currency} />
          </Title>
          <StateBadge state={payout.state} />
        </Group>
        <Text size="sm" className="muted">
          {[payout.payoutId, payout.account, payout.beneficiary['full_name'], payout.rail].filter(Boolean).join(' · ')}
        </Text>
      </div>
      {payout.state === 'pending' ? <Acts payout={payout} /> : null}
    </Group>
  );
}

function Acts({ payout: { merchantId, payoutId, pending, acts } }: { payout: PayoutRecord }) {
  const { payouts, ...words } = useWords();
  const may = useMay();
  const { merchantId: own } = useSession();
  const params = { merchantId, payoutId };
  const obstacleOf = (name: PayoutRecord['acts'][number]['act']) => {
    const reason = acts.find(({ act }) => act === name)?.reason;
    return reason && payouts.obstacles[reason];
  };
  const reason = [
    { name: 'reason', label: words.reason, isRequired: true, isLong: true, placeholder: words.reasonHint },
  ];
  return (
    <Group gap="xs">
      {may('payouts:approve') && pending?.reason === 'awaiting_approval' ? (
        <ActButton
          act="payouts.approve"
          params={params}
          label={payouts.approve}
          text={payouts.approveText}
          fields={[{ name: 'reason', label: words.reason, isLong: true }]}
          obstacle={obstacleOf('payouts.approve')}
          button={{ variant: 'filled' }}
        />
      ) : null}
      {may('payouts:write') && own === null ? (
        <ActButton
          act="payouts.ask"
          params={params}
          label={payouts.ask}
          text={payouts.askText}
          fields={ASK_FIELDS}
          obstacle={obstacleOf('payouts.ask')}
        />
      ) : null}
      {may('payouts:write') ? (
        <ActButton
          act="payouts.cancel"
          params={params}
          label={payouts.cancel}
          text={payouts.cancelText}
          fields={reason}
          obstacle={obstacleOf('payouts.cancel')}
        />
      ) : null}
    </Group>
  );
}

const ASK_FIELDS = [{ name: 'rail', label: 'Rail' }];

function Facts({ payout }: { payout: PayoutRecord }) {
  const { payouts, payment } = useWords();
  const { merchantId, payoutId, transactionId, fee, currency, method, code, blockedReason, account } = payout;
  return (
    <Details
      title={payment.details}
      rows={[
        { name: payouts.id, value: payoutId, copy: payoutId },
        { name: payouts.merchant, value: merchantId },
        { name: payouts.transaction, value: transactionId, copy: String(transactionId) },
        { name: payouts.fee, value: <Money amount={fee} currency={currency} /> },
        { name: payouts.method, value: method ?? payout.purpose },
        { name: payouts.to, value: account },
        ...Object.entries(payout.beneficiary).map(([name, value]) => ({ name, value })),
        { name: payouts.code, value: code },
        ...(blockedReason === null ? [] : [{ name: payouts.blockedReason, value: blockedReason }]),
        { name: payouts.accepted, value: <Moment at={payout.acceptedAt} /> },
        { name: payouts.finished, value: <Moment at={payout.finishedAt} /> },
      ]}
    />
  );
}

function Attempts({ payout: { attempts } }: { payout: PayoutRecord }) {
  const { payment, payouts } = useWords();
  return (
    <Panel title={payment.attempts}>
      {attempts.length === 0 ? (
        <Text size="sm" className="muted">
          {payment.noAttempts}
        </Text>
      ) : (
        <Stack gap="sm">
          {attempts.map(({ attempt, rail, reference, startedAt, outcome, detail }) => (
            <div key={attempt}>
              <Text size="sm" fw={600}>
                {attempt}. {rail}
                {outcome === null ? null : `: ${outcome}`}
              </Text>
              <Text size="sm" className="muted">
                <Moment at={startedAt} /> · {payouts.reference} <span className="code">{reference}</span>
                {detail === '' ? null : ` · ${detail}`}
              </Text>
            </div>
          ))}
        </Stack>
      )}
    </Panel>
  );
}
