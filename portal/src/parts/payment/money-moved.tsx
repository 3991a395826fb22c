/** The money of a payment as it moved between accounts: one row per transfer, grouped by what committed together. */
import './money-moved.css';
import { Text } from '@mantine/core';
import { IconArrowNarrowRight } from '@tabler/icons-react';
import type { LedgerLine } from '../../../../gateway/contract/answer-parts.ts';
import { useWords } from '../../words/words.ts';
import { Panel } from '../details.tsx';
import { Moment } from '../moment.tsx';
import { Money } from '../money.tsx';

export function MoneyMoved({ lines }: { lines: readonly LedgerLine[] }) {
  const { payment } = useWords();
  const journals = Object.values(Object.groupBy(lines, ({ journal }) => journal)).filter((each) => each !== undefined);
  return (
    <Panel title={payment.money}>
      {journals.length === 0 ? (
        <Text size="sm" className="muted">
          {payment.noMoney}
        </Text>
      ) : (
        <ol className="journals">
          {journals.map((transfers) => (
            <li key={transfers[0]?.journal}>
              <Text size="sm" className="muted">
                <Moment at={transfers[0]?.at ?? null} />
              </Text>
              {transfers.map((transfer) => (
                <Transfer key={`${transfer.kind} ${transfer.debit} ${transfer.credit}`} {...transfer} />
              ))}
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

function Transfer({ debit, credit, amount, currency, kind }: LedgerLine) {
  const { payment } = useWords();
  return (
    <div className="transfer" title={kind}>
      <Account name={debit} />
      <span className="flow">
        <Money amount={amount} currency={currency} />
        <IconArrowNarrowRight size={18} stroke={1.4} aria-label={payment.moves} role="img" />
      </span>
      <Account name={credit} />
    </div>
  );
}

/** `clearing:RAIL` is our money at a bank. */
function Account({ name }: { name: string }) {
  const { payment } = useWords();
  const [account = '', rail] = name.split(':');
  return <span className="account">{rail ?? payment.accounts[account] ?? account}</span>;
}
