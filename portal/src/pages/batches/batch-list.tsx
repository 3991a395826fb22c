/** The list of batches, and the upload of a batch. */
import { Button, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Batch } from '../../../../gateway/contract/endpoints/batches.ts';
import { usePages, useReading } from '../../api/queries.ts';
import { useMay, useSession } from '../../api/session.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import { StateBadge } from '../../parts/elements/state-badge.tsx';
import type { Column } from '../../parts/elements/table.tsx';
import { openPage } from '../../parts/links/address.ts';
import { PageLink } from '../../parts/links/page-link.tsx';
import { batchPath } from '../../parts/links/paths.ts';
import { ListPage } from '../../parts/lists/list-page.tsx';
import { Money } from '../../parts/money/money.tsx';
import { useMerchantId } from '../../parts/page/merchant-head.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import type { Words } from '../../words/en/en.ts';
import { actorName, useWords } from '../../words/words.ts';
import { templateOf } from './batch-template.ts';

function columnsOf({ batches, payouts, payment }: Words): readonly Column<Batch>[] {
  return [
    {
      label: batches.name,
      cell: ({ merchantId, batchId, name }) => <PageLink to={batchPath(merchantId, batchId)}>{name}</PageLink>,
    },
    { label: payouts.state, cell: ({ state }) => <StateBadge state={state} /> },
    { label: batches.rows, cell: ({ rows }) => rows, isEnd: true },
    { label: batches.ready, cell: (batch) => <Sums batch={batch} />, isEnd: true },
    { label: batches.uploaded, cell: ({ createdAt }) => <Moment at={createdAt} /> },
    { label: batches.by, cell: ({ createdBy }) => actorName(payment, { name: createdBy }) },
  ];
}

function Sums({ batch: { totals } }: { batch: Batch }) {
  return totals.map(({ currency, amount }) => (
    <div key={currency}>
      <Money amount={amount} currency={currency} />
    </div>
  ));
}

export default function BatchList() {
  const words = useWords();
  const merchantId = useMerchantId();
  const isOperator = useSession().merchantId === null;
  const mayCreate = useMay()('payouts:create');
  return (
    <ListPage
      title={isOperator ? `${words.batches.title} · ${merchantId}` : words.batches.title}
      empty={words.batches.empty}
      filters={[]}
      columns={columnsOf(words)}
      keyOf={({ batchId }) => batchId}
      pathOf={({ batchId }) => batchPath(merchantId, batchId)}
      pages={usePages('batches.list', {}, { merchantId })}
      side={mayCreate ? <Upload /> : null}
    />
  );
}

function Upload() {
  const { batches: words } = useWords();
  const merchantId = useMerchantId();
  const methods = useReading('payouts.methods', { params: { merchantId } });
  const [file, setFile] = useState('');
  const extra = (
    <TextInput
      type="file"
      accept=".csv,text/csv"
      label={words.file}
      required
      onChange={({ currentTarget: { files } }) => void base64Of(files?.[0]).then(setFile)}
    />
  );
  return (
    <Group gap="xs">
      <Button
        component="a"
        variant="default"
        size="xs"
        download="payouts.csv"
        href={`data:text/csv;charset=utf-8,${encodeURIComponent(templateOf(methods.data?.items ?? []))}`}
      >
        {words.template}
      </Button>
      <ActButton
        act="batches.upload"
        params={{ merchantId }}
        label={words.upload}
        text={words.uploadText}
        fields={[{ name: 'name', label: words.name, isRequired: true }]}
        extra={
          <>
            {extra}
            <Text size="xs" className="muted">
              {words.fileHint}
            </Text>
          </>
        }
        bodyOf={({ name = '' }) => ({ name, file })}
        onDone={({ batchId }) => openPage(batchPath(merchantId, batchId))}
        button={{ look: 'filled', size: 'xs' }}
      />
    </Group>
  );
}

function base64Of(file: File | undefined): Promise<string> {
  return new Promise((resolve) => {
    if (!file) return resolve('');
    const reader = new FileReader();
    reader.onloadend = () => resolve(String(reader.result ?? '').split(',')[1] ?? '');
    reader.readAsDataURL(file);
  });
}
