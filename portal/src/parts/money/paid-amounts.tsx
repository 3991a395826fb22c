/** The successful amounts of one flow, by currency. */
import type { Volume } from '../../../../gateway/contract/endpoints/ledger.ts';
import { Money } from './money.tsx';
import { currenciesOf, paidOf } from './volumes.ts';

export function PaidAmounts({ flow, volumes }: { flow: Volume['flow']; volumes: readonly Volume[] }) {
  const own = volumes.filter((each) => each.flow === flow && each.state === 'success');
  return currenciesOf(own).map((currency) => (
    <div key={currency}>
      <Money amount={paidOf(own, flow, currency)} currency={currency} />
    </div>
  ));
}
