/** A payout that a user enters: the method, then its fields, which the gateway checks while the user types. */
import { Alert, Grid, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CheckedPayout, PayoutMethod } from '../../../../../gateway/contract/endpoints/new-payouts.ts';
import type { ApiError } from '../../../api/api-error.ts';
import { type Call, call } from '../../../api/client.ts';
import { useReading } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { ActButton } from '../../../parts/acts/act-button.tsx';
import { Panel } from '../../../parts/elements/panel.tsx';
import { openPage, setFilters, useAddressFilters } from '../../../parts/links/address.ts';
import { payoutPath } from '../../../parts/links/paths.ts';
import { Failed, Refused, Shown } from '../../../parts/loading/shown.tsx';
import { Money } from '../../../parts/money/money.tsx';
import { Details } from '../../../parts/page/details.tsx';
import { MerchantHead, useMerchantId } from '../../../parts/page/merchant-head.tsx';
import { useWords } from '../../../words/words.ts';
import { exampleOf } from './field-examples.ts';

type Field = PayoutMethod['fields'][number];
type Typed = Readonly<Record<string, string>>;
type Wanted = NonNullable<Call<'payouts.check'>['body']>;

/** After this pause in typing, the gateway checks the fields. */
const TYPING_MS = 400;

export default function NewPayoutPage() {
  const { newPayout: words, payouts } = useWords();
  const merchantId = useMerchantId();
  const may = useMay();
  const methods = useReading('payouts.methods', { params: { merchantId } });
  return (
    <Stack>
      <MerchantHead title={words.title} />
      {may('payouts:create') ? (
        <Shown of={methods}>{({ items }) => <Form methods={items} />}</Shown>
      ) : (
        <Refused text={payouts.obstacles.no_permission} />
      )}
    </Stack>
  );
}

function Form({ methods }: { methods: readonly PayoutMethod[] }) {
  const { newPayout: words, payoutMethods } = useWords();
  const search = useAddressFilters();
  const method = methods.find((each) => String(each.method) === search['method']);
  const choose = (chosen: string) => setFilters({ method: chosen === '' ? undefined : chosen }, { replace: true });
  const options = methods.map((each) => ({
    value: String(each.method),
    label: `${each.currency} · ${payoutMethods[each.method] ?? each.name} (${each.method})`,
  }));
  return (
    <>
      <Panel title={words.method}>
        <NativeSelect
          aria-label={words.method}
          value={search['method'] ?? ''}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
          data={[{ value: '', label: words.choose }, ...options.sort((a, b) => a.label.localeCompare(b.label))]}
          maw={420}
        />
      </Panel>
      {method ? <Fields key={method.method} method={method} /> : null}
    </>
  );
}

function Fields({ method }: { method: PayoutMethod }) {
  const { newPayout: words } = useWords();
  const [typed, setTyped] = useState<Typed>({});
  const [payoutId, setPayoutId] = useState('');
  const wanted = wantedOf(method, payoutId, typed);
  const isComplete = method.fields.every(({ name, mandatory }) => !mandatory || wanted.fields[name] !== undefined);
  const checked = useCheck(wanted);
  const faults = (checked.isCurrent && checked.data?.faults.map(({ field }) => field)) || [];
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Panel title={words.payout}>
          <Stack gap="sm">
            {method.fields.map((field) =>
              field.name === 'currency' ? null : (
                <FieldInput
                  key={field.name}
                  field={field}
                  method={method}
                  value={typed[field.name] ?? ''}
                  isAtFault={faults.includes(field.name) && wanted.fields[field.name] !== undefined}
                  change={(value) => setTyped((before) => ({ ...before, [field.name]: value }))}
                />
              ),
            )}
            <TextInput
              label={words.payoutId}
              description={words.payoutIdHint}
              value={payoutId}
              maxLength={100}
              onChange={({ currentTarget }) => setPayoutId(currentTarget.value)}
              error={faults.includes('payout_id') ? words.atFault : null}
            />
          </Stack>
        </Panel>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Outcome wanted={wanted} {...checked} isComplete={isComplete} />
      </Grid.Col>
    </Grid>
  );
}

interface FieldInputProps {
  readonly field: Field;
  readonly method: PayoutMethod;
  readonly value: string;
  readonly isAtFault: boolean;
  readonly change: (value: string) => void;
}

function FieldInput({ field, method, value, isAtFault, change }: FieldInputProps) {
  const { newPayout: words } = useWords();
  const { name, format, mandatory, maxLength } = field;
  const label = name === 'account' ? words.accounts[method.accountKind] : words.fields[name];
  const example = exampleOf(field);
  return (
    <TextInput
      label={label ?? name}
      required={mandatory}
      value={value}
      maxLength={maxLength}
      placeholder={example}
      autoComplete="off"
      {...(format === 'amount'
        ? { inputMode: 'decimal' as const, rightSection: method.currency, rightSectionWidth: 56 }
        : {})}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      error={isAtFault ? `${words.atFault} ${words.example} ${example}` : null}
    />
  );
}

/** Returns the entered fields, without empty ones. The method determines the currency. Spaces are removed from numbers. */
function wantedOf({ method, currency, fields }: PayoutMethod, payoutId: string, typed: Typed): Wanted {
  const given = fields
    .filter(({ name }) => name !== 'currency')
    .map(({ name, format }) => {
      const text = (typed[name] ?? '').trim();
      return [name, /card|iban/i.test(format) ? text.replace(/\s/g, '') : text] as const;
    })
    .filter(([, text]) => text !== '');
  const id = payoutId.trim();
  return { ...(id === '' ? {} : { payoutId: id }), method, fields: { currency, ...Object.fromEntries(given) } };
}

function useCheck(wanted: Wanted) {
  const merchantId = useMerchantId();
  const typed = JSON.stringify(wanted);
  const [body] = useDebouncedValue(typed, TYPING_MS);
  const { data, error, isPlaceholderData } = useQuery<CheckedPayout, ApiError>({
    queryKey: ['payouts.check', merchantId, body],
    queryFn: ({ signal }) =>
      call('payouts.check', { params: { merchantId }, body: JSON.parse(body) as Wanted, signal }),
    placeholderData: (before) => before,
    // A card number stays in this browser only as long as its form.
    gcTime: 0,
  });
  // The last response stays visible while the user continues to type, but decides nothing.
  return { data, error, isCurrent: typed === body && !isPlaceholderData };
}

interface OutcomeProps {
  readonly wanted: Wanted;
  readonly data: CheckedPayout | undefined;
  readonly isCurrent: boolean;
  readonly error: ApiError | null;
  readonly isComplete: boolean;
}

function Outcome({ wanted, data: checked, isCurrent, error, isComplete }: OutcomeProps) {
  const { newPayout: words, reason, loading } = useWords();
  const merchantId = useMerchantId();
  const isPossible = isComplete && isCurrent && checked?.possible === true;
  return (
    <Stack>
      <Checked checked={isComplete ? checked : undefined} />
      {error ? <Failed error={error} /> : null}
      {isComplete && checked?.problem ? (
        <Alert color="red" variant="light" role="alert" title={words.rejected}>
          {checked.problem}
        </Alert>
      ) : null}
      {isPossible && checked.possibleDuplicateOf !== null ? (
        <Alert color="orange" variant="light" role="status" title={words.possibleDuplicate}>
          {checked.possibleDuplicateOf}
        </Alert>
      ) : null}
      {isPossible && checked.needsApproval !== null ? (
        <Alert color="orange" variant="light" role="status" title={words.needsApproval}>
          {checked.needsApproval}
        </Alert>
      ) : null}
      <ActButton
        act="payouts.create"
        params={{ merchantId }}
        label={words.send}
        text={words.sendText(`${wanted.fields['amount'] ?? ''} ${wanted.fields['currency'] ?? ''}`)}
        fields={[{ name: 'reason', label: reason, isLong: true }]}
        bodyOf={({ reason: why = '' }) => ({ ...wanted, ...(why === '' ? {} : { reason: why }) })}
        onDone={({ payoutId }) => openPage(payoutPath(merchantId, payoutId))}
        button={{ look: 'filled', disabled: !isPossible, isWide: true, size: 'md' }}
      />
      {isPossible ? null : (
        <p className="small muted">{isComplete ? (isCurrent ? words.notYet : loading) : words.incomplete}</p>
      )}
    </Stack>
  );
}

function Checked({ checked }: { checked: CheckedPayout | undefined }) {
  const { newPayout: words, payouts, none } = useWords();
  const { fee = null, currency = null, rail = null, why = null, availableAfter = null } = checked ?? {};
  const money = (amount: string | null) =>
    amount === null || currency === null ? (
      <span className="muted">{none}</span>
    ) : (
      <Money amount={amount} currency={currency} />
    );
  return (
    <Details
      title={words.effects}
      rows={[
        { name: payouts.fee, value: money(fee) },
        {
          name: payouts.rail,
          // The reason begins with the rail.
          value: why ?? rail ?? <span className="muted">{none}</span>,
        },
        { name: words.availableAfter, value: money(availableAfter) },
      ]}
    />
  );
}
