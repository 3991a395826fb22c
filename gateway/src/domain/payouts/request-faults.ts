/** What a user must correct in a requested payout: fields, or the entire payout. The contract has the messages of the codes. */
import type { RequestFailure } from './create-payout.ts';

const OF_THE_WHOLE = [
  'merchant_disabled',
  'currency_not_supported',
  'amount_out_of_limits',
  'insufficient_funds',
  'method_unavailable',
  'payout_id_already_used',
] as const;
export type FaultOfWhole = (typeof OF_THE_WHOLE)[number];

interface FieldFault {
  /** The field by its API name. */
  readonly field: string;
  readonly reason: readonly [code: 'format' | 'unknown_field', field: string];
}

export function fieldFaultsOf(failure: RequestFailure): readonly FieldFault[] {
  if (failure.kind === 'invalid_field') return [{ field: failure.field, reason: ['format', failure.field] }];
  if (failure.kind !== 'faulty_fields') return [];
  return [
    ...failure.faults.map((field) => ({ field, reason: ['format', field] }) as const),
    ...failure.unknown.map((field) => ({ field, reason: ['unknown_field', field] }) as const),
  ];
}

export function faultOfWhole(failure: RequestFailure): FaultOfWhole {
  return OF_THE_WHOLE.find((kind) => kind === failure.kind) ?? 'method_unavailable';
}
