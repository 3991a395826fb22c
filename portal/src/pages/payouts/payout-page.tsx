/** One payout: its timeline, its money, the reason why it waits, and the possible actions. */
import { Grid, Group, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { Answer } from '../../api/client.ts';
import { useReading } from '../../api/queries.ts';
import { useMay, useSession } from '../../api/session.ts';
import { now } from '../../browser.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import { Panel } from '../../parts/elements/panel.tsx';
import { MerchantLink } from '../../parts/links/merchant-link.tsx';
import { PageLink } from '../../parts/links/page-link.tsx';
import type { PagePath } from '../../parts/links/paths.ts';
import { Shown } from '../../parts/loading/shown.tsx';
import { grouped, Money } from '../../parts/money/money.tsx';
import { Crumbs } from '../../parts/page/crumbs.tsx';
import { Details } from '../../parts/page/details.tsx';
import { WhoMay } from '../../parts/page/who-may.tsx';
import { AuditPanel, CallbackPanel, RequestPanel } from '../../parts/payment/evidence.tsx';
import { ExchangePanel } from '../../parts/payment/exchanges.tsx';
import { futureOf } from '../../parts/payment/future.ts';
import { expectedOf, pastOf } from '../../parts/payment/happenings.tsx';
import type { Place } from '../../parts/payment/money-picture.ts';
import { MoneyPicture } from '../../parts/payment/money-picture.tsx';
import { PaymentHead } from '../../parts/payment/payment-head.tsx';
import { RelatedPanel } from '../../parts/payment/related.tsx';
import { Timeline } from '../../parts/payment/timeline.tsx';
import { Waiting } from '../../parts/payment/waiting.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import { useWords } from '../../words/words.ts';

type PayoutRecord = Answer<'payouts.show'>;

export default function PayoutPage() {
  const { merchantId = '', payoutId = '' } = useParams({ strict: false });
  const payout = useReading('payouts.show', { params: { merchantId, payoutId } });
  return (
    <Shown of={payout} isPage>
      {(record) => (
        <Stack>
          <Headline payout={record} />
          <Waiting pending={record.pending} pace={record.pace} rail={record.rail} since={record.acceptedAt}>
            {record.pending?.reason === 'awaiting_approval' ? <WhoMay permission="payouts:approve" /> : null}
          </Waiting>
          <Grid>
            <Grid.Col span={{ base: 12, md: 8 }}>
              <Stack>
                <MoneyPicture lines={record.money} expected={expectedPlaces(record)} />
                <Life payout={record} />
                <CallbackPanel callbacks={record.callbacks} />
                <ExchangePanel attempts={record.attempts} />
                <RequestPanel merchantId={merchantId} subjectId={payoutId} />
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 4 }}>
              <Stack>
                <Facts payout={record} />
                <RelatedPanel merchantId={merchantId} related={record.related} />
                <Recipient payout={record} />
                <AuditPanel object={`merchants/${merchantId}/payouts/${payoutId}`} />
              </Stack>
            </Grid.Col>
          </Grid>
        </Stack>
      )}
    </Shown>
  );
}

function Life({ payout }: { payout: PayoutRecord }) {
  const words = useWords();
  const { history, attempts: sendings, callbacks, pending, pace, acceptedAt: since } = payout;
  const past = pastOf({ history, sendings, callbacks }, words);
  const future = pending === null ? [] : expectedOf(futureOf({ pending, pace, since }, now()), words.payment);
  return <Timeline happenings={[...past, ...future]} />;
}

/** Returns the accounts to which a pending payout’s money will move if its bank executes it. */
function expectedPlaces({ state, amount, fee, currency, rail }: PayoutRecord): readonly Place[] {
  if (state !== 'pending') return [];
  const places = [
    { account: `clearing:${rail}`, amount, currency },
    { account: 'fees', amount: fee, currency },
  ];
  return places.filter((place) => Number(place.amount) > 0);
}

function Headline({ payout }: { payout: PayoutRecord }) {
  const { payouts, subjects, payoutMethods } = useWords();
  const { payoutId, state, account, beneficiary, method, rail } = payout;
  const way = method === null ? subjects[payout.purpose] : payoutMethods[method];
  return (
    <PaymentHead
      payment={payout}
      facts={[account, beneficiary['full_name'], way, rail]}
      crumbs={<Crumbs to="/payouts" title={payouts.title} name={payoutId} />}
    >
      {state === 'pending' ? <Acts payout={payout} /> : null}
    </PaymentHead>
  );
}

function Acts({ payout }: { payout: PayoutRecord }) {
  const { merchantId, payoutId, pending, acts, amount, currency, account, beneficiary } = payout;
  const { payouts, ...words } = useWords();
  const may = useMay();
  const { merchantId: own } = useSession();
  const params = { merchantId, payoutId };
  const obstacleOf = (name: PayoutRecord['acts'][number]['act']) => {
    const reason = acts.find(({ act }) => act === name)?.reason;
    return reason && payouts.obstacles[reason];
  };
  const signed = [`${grouped(amount)} ${currency}`, account, beneficiary['full_name']].filter(Boolean).join(' · ');
  const isWaiting = pending?.reason === 'awaiting_approval';
  const reason = [
    { name: 'reason', label: words.reason, isRequired: true, isLong: true, placeholder: words.reasonHint },
  ];
  return (
    <Group gap="xs">
      {may('payouts:approve') && isWaiting ? (
        <ActButton
          act="payouts.approve"
          params={params}
          label={payouts.approve}
          text={`${signed}. ${payouts.approveText}`}
          fields={[{ name: 'reason', label: words.reason, isLong: true }]}
          extra={<AfterApproval balance={payout.afterApproval} />}
          obstacle={obstacleOf('payouts.approve')}
          button={{ look: 'filled' }}
        />
      ) : null}
      {may('payouts:write') && own === null ? (
        <ActButton
          act="payouts.ask"
          params={params}
          label={words.merchantActs.ask}
          text={words.merchantActs.askText}
          fields={[{ name: 'rail', label: payouts.rail }]}
          obstacle={obstacleOf('payouts.ask')}
        />
      ) : null}
      {may('payouts:write') || (may('payouts:approve') && isWaiting) ? (
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

/** Null for users who cannot see balances. */
function AfterApproval({ balance }: { balance: PayoutRecord['afterApproval'] }) {
  const { balances, payment } = useWords();
  if (balance === null) return null;
  const names = (['available', 'reserved', 'owed'] as const).filter(
    (name) => name !== 'owed' || Number(balance.owed) > 0,
  );
  return (
    <div>
      <Text size="sm" fw={600}>
        {payment.afterApproval}
      </Text>
      <dl className="details">
        {names.map((name) => (
          <Fragment key={name}>
            <dt>{balances[name]}</dt>
            <dd>
              <Money amount={balance[name]} currency={balance.currency} />
            </dd>
          </Fragment>
        ))}
      </dl>
      <p className="small muted">{payment.isReserved}</p>
    </div>
  );
}

function Facts({ payout }: { payout: PayoutRecord }) {
  const { payouts, payment, newPayout, states, whyNot, subjects, payoutMethods } = useWords();
  const { merchantId, payoutId, transactionId, fee, currency, method, code, state, blockedReason, account } = payout;
  const codeInWords = blockedReason === null ? states[state] : (whyNot[blockedReason] ?? blockedReason);
  return (
    <Details
      title={payment.details}
      rows={[
        { name: payouts.id, value: payoutId, copy: payoutId },
        {
          name: payouts.merchant,
          value: <MerchantLink merchantId={merchantId} />,
        },
        { name: payouts.transaction, value: transactionId, copy: String(transactionId) },
        { name: payouts.fee, value: <Money amount={fee} currency={currency} /> },
        {
          name: payouts.method,
          value: method === null ? subjects[payout.purpose] : `${payoutMethods[method]} (${method})`,
        },
        { name: payouts.to, value: account },
        ...detailsOf(payout).map(([name, value]) => ({ name: newPayout.fields[name] ?? name, value })),
        { name: payouts.code, value: `${code} · ${codeInWords}` },
        { name: payouts.accepted, value: <Moment at={payout.acceptedAt} /> },
        { name: payouts.finished, value: <Moment at={payout.finishedAt} /> },
      ]}
    />
  );
}

/** The other fields of a refund belong to its order, which the related objects show. */
function detailsOf({ purpose, beneficiary }: PayoutRecord) {
  return Object.entries(beneficiary).filter(([name]) => purpose !== 'refund' || name === 'reason');
}

/** Shows whether the account was paid before. Some users see it masked and cannot query that. */
function Recipient({ payout: { merchantId, payoutId, account } }: { payout: PayoutRecord }) {
  const { payment } = useWords();
  const isAllowed = useMay()('personal:read') && account !== '';
  const found = useReading('payouts.list', { query: { merchantId, account, limit: MOST_EARLIER } }, isAllowed);
  if (!isAllowed) return null;
  return (
    <Panel title={payment.recipient}>
      <Shown of={found}>
        {({ items, next }) => {
          const others = items.filter((item) => item.payoutId !== payoutId);
          const address: PagePath = `/payouts?${new URLSearchParams({ account })}`;
          if (others.length === 0) return <Text size="sm">{payment.firstPayout}</Text>;
          return (
            <PageLink to={address}>{payment.earlierPayouts(`${others.length}${next === null ? '' : '+'}`)}</PageLink>
          );
        }}
      </Shown>
    </Panel>
  );
}

const MOST_EARLIER = 20;
