/** Why a row of a batch is at fault or has a warning, by code: English texts with the values of the reason. The pages translate them. */
const TEXTS = {
  format: (field: string) => `${field} is missing or has an invalid format. See the page of payout methods.`,
  unknown_field: (field: string) => `${field} is not a field of this method. Remove it.`,
  too_many_cells: (cells: string, header: string) => `The row has ${cells} cells, but the header has ${header}.`,
  long_cell: (most: string) => `A cell has more than ${most} characters.`,
  same_id_in_file: (row: string) => `Row ${row} has the same payout_id.`,
  id_used: () => 'The merchant already has a payout with this payout_id.',
  merchant_disabled: () => 'The merchant is suspended. Ask the operator to activate it.',
  currency_not_supported: () => 'The method pays in another currency.',
  amount_out_of_limits: () => 'The amount is outside the limits of this method.',
  insufficient_funds: () => 'The available balance does not cover the amount and the fee.',
  method_unavailable: () => 'The method is not available to this merchant now.',
  payout_id_already_used: () => 'The merchant has another payout with this id.',
  destroyed: () => 'The gateway destroyed the row after 30 days: upload it again.',
  // Warnings.
  same_content_in_file: (row: string) => `Row ${row} has the same content.`,
  same_content: (payoutId: string) => `Payout ${payoutId} of the last 24 hours has the same content.`,
  short: () => 'The available balance does not cover the payout.',
};

type RowReasonCode = keyof typeof TEXTS;

export const ROW_REASONS: Readonly<Record<RowReasonCode, (...values: readonly string[]) => string>> = TEXTS;
