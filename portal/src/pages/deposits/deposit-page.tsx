/** One deposit: its timeline, its money, the reason why it waits, and the possible actions. */
import { Grid, Group, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { Answer } from '../../api/client.ts';
import { useReading } from '../../api/queries.ts';
import { useMay, useSession } from '../../api/session.ts';
import { now } from '../../browser.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import { Panel } from '../../parts/elements/panel.tsx';
import { StateBadge } from '../../parts/elements/state-badge.tsx';
import { MerchantLink } from '../../parts/links/merchant-link.tsx';
import { PageLink } from '../../parts/links/page-link.tsx';
import { heldPath, payoutPath } from '../../parts/links/paths.ts';
import { Shown } from '../../parts/loading/shown.tsx';
import { Money } from '../../parts/money/money.tsx';
import { Crumbs } from '../../parts/page/crumbs.tsx';
import { Details } from '../../parts/page/details.tsx';
import { AuditPanel, CallbackPanel, RequestPanel } from '../../parts/payment/evidence.tsx';
import { ExchangePanel } from '../../parts/payment/exchanges.tsx';
import { futureOf } from '../../parts/payment/future.ts';
import { expectedOf, pastOf } from '../../parts/payment/happenings.tsx';
import { MoneyPicture } from '../../parts/payment/money-picture.tsx';
import { PaymentHead } from '../../parts/payment/payment-head.tsx';
import { RelatedPanel } from '../../parts/payment/related.tsx';
import { Timeline } from '../../parts/payment/timeline.tsx';
import { Waiting } from '../../parts/payment/waiting.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import { useWords } from '../../words/words.ts';

type DepositRecord = Answer<'deposits.show'>;

export default function DepositPage() {
  const { merchantId = '', orderId = '' } = useParams({ strict: false });
  const deposit = useReading('deposits.show', { params: { merchantId, orderId } });
  return (
    <Shown of={deposit} isPage>
      {(record) => (
        <Stack>
          <Headline deposit={record} />
          <DepositWaiting deposit={record} />
          <Grid>
            <Grid.Col span={{ base: 12, md: 8 }}>
              <Stack>
                <MoneyPicture lines={record.money} />
                <Life deposit={record} />
                <Attempts deposit={record} />
                <Transfers deposit={record} />
                <Refunds deposit={record} />
                <CallbackPanel callbacks={record.callbacks} />
                <ExchangePanel attempts={record.attempts} />
                <RequestPanel merchantId={merchantId} subjectId={orderId} />
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 4 }}>
              <Stack>
                <Facts deposit={record} />
                <RelatedPanel merchantId={merchantId} related={record.related} />
                <AuditPanel object={`merchants/${merchantId}/payments/${record.transactionId}`} />
              </Stack>
            </Grid.Col>
          </Grid>
        </Stack>
      )}
    </Shown>
  );
}

function Life({ deposit }: { deposit: DepositRecord }) {
  const words = useWords();
  const { history, callbacks, pending, pace, createdAt: since } = deposit;
  const past = pastOf({ history, sendings: [], callbacks }, words);
  const future = pending === null ? [] : expectedOf(futureOf({ pending, pace, since }, now()), words.payment);
  return <Timeline happenings={[...past, ...future]} />;
}

/** Held money of the deposit has a separate page, on which the operator decides. */
function DepositWaiting({ deposit: { pending, pace, rail, createdAt, transfers } }: { deposit: DepositRecord }) {
  const { payment } = useWords();
  const isOperator = useSession().merchantId === null;
  const held = isOperator ? transfers.find(({ state }) => state === 'held') : undefined;
  return (
    <Waiting pending={pending} pace={pace} rail={rail} since={createdAt}>
      {held ? <PageLink to={heldPath(held.rail, held.transferKey)}>{payment.settle}</PageLink> : null}
    </Waiting>
  );
}

function Headline({ deposit }: { deposit: DepositRecord }) {
  const { deposits, merchantActs, reason, reasonHint, paymentTypes } = useWords();
  const may = useMay();
  const { merchantId, transactionId, orderId, paymentType, payTo, acts } = deposit;
  const isAccepted = acts.some(({ act, reason: obstacle }) => act === 'deposits.refund' && obstacle === null);
  const isRefundable = isAccepted && may('deposits:write');
  const isOperator = useSession().merchantId === null;
  const endable = acts.find(({ act }) => act === 'deposits.endAttempts');
  const isEndable = endable?.reason === null && may('deposits:write') && isOperator;
  const because = { name: 'reason', label: reason, isRequired: true, isLong: true, placeholder: reasonHint };
  return (
    <PaymentHead
      payment={deposit}
      facts={[paymentTypes[paymentType], payTo, deposit.rail]}
      crumbs={<Crumbs to="/deposits" title={deposits.title} name={orderId} />}
    >
      {isRefundable ? (
        <ActButton
          act="deposits.refund"
          params={{ merchantId, transactionId }}
          label={deposits.refund}
          text={deposits.refundText}
          fields={[{ name: 'amount', label: deposits.refundAmount }, because]}
        />
      ) : null}
      {isEndable ? (
        <ActButton
          act="deposits.endAttempts"
          params={{ merchantId, transactionId }}
          label={merchantActs.endAttempts}
          text={merchantActs.endAttemptsText}
          fields={[because]}
        />
      ) : null}
    </PaymentHead>
  );
}

function Facts({ deposit }: { deposit: DepositRecord }) {
  const { deposits, payouts, payment, whyNot } = useWords();
  const { merchantId, orderId, transactionId, uuid, currency, received, fee, failReason, payer, payTo } = deposit;
  const name = [payer.firstName, payer.lastName].filter(Boolean).join(' ');
  return (
    <Details
      title={payment.details}
      rows={[
        { name: deposits.order, value: orderId, copy: orderId },
        { name: payouts.merchant, value: <MerchantLink merchantId={merchantId} /> },
        { name: payouts.transaction, value: transactionId, copy: String(transactionId) },
        { name: deposits.uuid, value: uuid, copy: uuid },
        { name: deposits.received, value: <Money amount={received} currency={currency} /> },
        { name: payouts.fee, value: <Money amount={fee} currency={currency} /> },
        { name: payouts.rail, value: deposit.rail },
        ...(payTo === '' ? [] : [{ name: deposits.payTo, value: payTo, copy: payTo }]),
        ...(name === '' ? [] : [{ name: deposits.payer, value: name }]),
        ...(failReason === null ? [] : [{ name: deposits.failReason, value: whyNot[failReason] ?? failReason }]),
        { name: deposits.created, value: <Moment at={deposit.createdAt} /> },
        { name: deposits.expires, value: <Moment at={deposit.expiresAt} /> },
        { name: payouts.finished, value: <Moment at={deposit.finishedAt} /> },
      ]}
    />
  );
}

function Attempts({ deposit: { attempts } }: { deposit: DepositRecord }) {
  const { deposits, states, whyNot, paymentTypes } = useWords();
  if (attempts.length === 0) return null;
  return (
    <Panel title={deposits.attempts}>
      <Stack gap="sm">
        {attempts.map(({ attempt, paymentType, card, rail, state, refusal, startedAt, providerReference }) => (
          <div key={attempt}>
            <Text size="sm" fw={600}>
              {attempt}. {[paymentTypes[paymentType], card, rail].filter(Boolean).join(' · ')}: {states[state] ?? state}
              {refusal === null ? null : ` (${whyNot[refusal] ?? refusal.replaceAll('_', ' ')})`}
            </Text>
            <Text size="sm" className="muted">
              <Moment at={startedAt} />{' '}
              {providerReference === '' ? null : <span className="code">{providerReference}</span>}
            </Text>
          </div>
        ))}
      </Stack>
    </Panel>
  );
}

function Transfers({ deposit: { transfers } }: { deposit: DepositRecord }) {
  const { deposits } = useWords();
  if (transfers.length === 0) return null;
  return (
    <Panel title={deposits.transfers}>
      <Stack gap="sm">
        {transfers.map(({ rail, transferKey, amount, currency, state, originator, bookedAt }) => (
          <div key={`${rail}/${transferKey}`}>
            <Group gap="xs">
              <Text size="sm" fw={600} component="span">
                <Money amount={amount} currency={currency} />
              </Text>
              <StateBadge state={state} />
            </Group>
            <Text size="sm" className="muted">
              <Moment at={bookedAt} /> · {[originator.name, originator.account, rail].filter(Boolean).join(' · ')} ·{' '}
              <span className="code">{transferKey}</span>
            </Text>
          </div>
        ))}
      </Stack>
    </Panel>
  );
}

function Refunds({ deposit: { refunds } }: { deposit: DepositRecord }) {
  const { deposits } = useWords();
  if (refunds.length === 0) return null;
  return (
    <Panel title={deposits.refunds}>
      <Stack gap="sm">
        {refunds.map(({ payout, reason }) => (
          <Group key={payout.transactionId} gap="xs">
            <PageLink to={payoutPath(payout.merchantId, payout.payoutId)}>
              <Money amount={payout.amount} currency={payout.currency} />
            </PageLink>
            <StateBadge state={payout.state} />
            <p className="small muted">{reason}</p>
          </Group>
        ))}
      </Stack>
    </Panel>
  );
}
