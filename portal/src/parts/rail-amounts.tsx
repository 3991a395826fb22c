/** What a rail paid or collected, by currency. */
import type { Volume } from '../../../gateway/contract/endpoints/ledger.ts';
import { sumOf } from './amounts.ts';
import { Money } from './money.tsx';

interface Amounts {
  readonly flow: Volume['flow'];
  readonly rail: string;
  readonly volumes: readonly Volume[];
}

export function RailAmounts({ flow, rail, volumes }: Amounts) {
  const own = volumes.filter((each) => each.rail === rail && each.flow === flow && each.state === 'success');
  return [...Map.groupBy(own, ({ currency }) => currency)].map(([currency, its]) => (
    <div key={currency}>
      <Money amount={sumOf(its.map(({ amount }) => amount))} currency={currency} />
    </div>
  ));
}
