/**
 * Adyen's errors for a rejected request (HTTP 422) that concern the payer's input, as a table. Adyen queried no bank, and the
 * payer can correct the input.
 *
 * Confirmed by a public client that contains Adyen's list of errors.
 */
import type { PaymentRefusal } from '../../domain/payments/payment-rail.ts';

const INPUT_ERRORS: Readonly<Partial<Record<PaymentRefusal, readonly string[]>>> = {
  wrong_card_data: ['101', '102', '103', '153', '14_029'],
  expired_card: ['129', '140', '141'],
  payer_details: ['117', '119', '120', '122', '124', '131', '132', '133', '134', '135', '181', '194'],
  limit: ['916'],
};

const BY_ERROR: ReadonlyMap<string, PaymentRefusal> = new Map(
  Object.entries(INPUT_ERRORS).flatMap(([refusal, codes]) => codes.map((code) => [code, refusal as PaymentRefusal])),
);

/** Returns undefined if the error is not about the payer's input. */
export function refusalOfError(errorCode: string): PaymentRefusal | undefined {
  return BY_ERROR.get(errorCode);
}
