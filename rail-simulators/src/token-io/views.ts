/** Payments, refunds, transactions and banks as Token.io shows them. */
import type { Bank } from './banks.ts';
import type { Payment, Refund } from './book.ts';
import type { SettlementAccount } from './requests.ts';

export interface ShownParts {
  readonly memberId: string;
  readonly account: SettlementAccount;
  /** Returns the origin at which payers reach the bank's page. */
  readonly publicUrl: () => string;
}

const REDIRECTING: ReadonlySet<string> = new Set(['INITIATION_PENDING_REDIRECT_AUTH']);

/** All payers pay from the same account. */
export const PAYER_IBAN = 'DE89370400440532013000';
const PAYER_NAME = 'Aino Öberg';

export function paymentView(payment: Payment & { readonly at: string }, { memberId, account, publicUrl }: ShownParts) {
  const { id, status, reason, bankStatus, createdAt, at, sent, session } = payment;
  const { refunded, credited } = payment;
  return {
    id,
    memberId,
    initiation: { ...sent, creditor: { virtualAccountId: account.id, iban: account.iban, name: account.name } },
    status,
    ...(reason === '' ? {} : { statusReasonInformation: reason }),
    ...(bankStatus === '' ? {} : { bankPaymentStatus: bankStatus, bankPaymentId: `bank-${id.slice(4, 12)}` }),
    ...(REDIRECTING.has(status)
      ? { authentication: { redirectUrl: `${publicUrl()}/authorize?${new URLSearchParams({ session })}` } }
      : {}),
    ...(bankStatus === ''
      ? {}
      : {
          refundDetails: {
            refundAccount: { iban: PAYER_IBAN, name: PAYER_NAME },
            paymentRefundStatus: refunded === '0.00' ? 'NONE' : refunded === credited ? 'FULL' : 'PARTIAL',
          },
        }),
    createdDateTime: createdAt,
    updatedDateTime: at,
  };
}

export function refundView({ id, status, createdAt, sent }: Refund, memberId: string) {
  return { id, memberId, status, initiation: sent, createdDateTime: createdAt, updatedDateTime: createdAt };
}

/** Returns a credit on the settlement account. It does not name a payment. */
export function transactionView(payment: Payment & { readonly at: string }) {
  const { reference, amount, localInstrument, id, at } = payment;
  return {
    providerPaymentId: providerPaymentIdOf(id),
    transactionType: 'CREDIT',
    amount: { value: amount, currency: 'EUR' },
    description: reference,
    refId: reference,
    localInstrument,
    debtor: { iban: PAYER_IBAN, name: PAYER_NAME },
    createdDateTime: at,
  };
}

export function providerPaymentIdOf(paymentId: string): string {
  return `credit-${paymentId.slice(4, 16)}`;
}

export function bankView({ id, name, bic, countries, group, instruments, supportsSinglePayment }: Bank) {
  return {
    id,
    name,
    ...(bic === '' ? {} : { bic }),
    ...(group === '' ? {} : { bankGroup: group }),
    countries,
    openBankingStandard: 'NextGenPsd2',
    supportedLocalInstruments: instruments,
    supportsSinglePayment,
    supportsReturnRefundAccount: true,
  };
}
