/** The file that users fill in: every column, and an example of each method. */
import type { PayoutMethod } from '../../../../gateway/contract/endpoints/new-payouts.ts';
import { exampleOf } from '../payouts/new/field-examples.ts';

/** The amounts are zero, so that the check rejects examples that were left in the file. */
export function templateOf(methods: readonly PayoutMethod[]): string {
  const names = [...new Set(['account', 'amount', 'currency', ...methods.flatMap(fieldNames)])];
  const lines = methods.map((method) => {
    const fields = new Map(method.fields.map((field) => [field.name, field]));
    const cells = names.map((name) => {
      if (name === 'currency') return method.currency;
      const field = fields.get(name);
      return name === 'amount' ? '0.00' : field ? exampleOf(field) : '';
    });
    return ['', method.method, ...cells].join(',');
  });
  return [['payout_id', 'method', ...names].join(','), ...lines, ''].join('\r\n');
}

function fieldNames({ fields }: PayoutMethod): string[] {
  return fields.map(({ name }) => name);
}
