/**
 * The response envelope of host-to-host: exactly eight fields in a fixed order (decision 20). Its `status` states whether
 * the gateway received the request, never the state of the deposit.
 */
import type { Deposit } from '../../domain/deposits/deposit.ts';

export type DepositReply = Readonly<Record<string, string | number>>;

export function depositCreated({
  transactionId,
  merchantId,
  uuid,
  orderId,
  payTo,
  beneficiary,
}: Deposit): DepositReply {
  return {
    status: 'success',
    transactionId,
    merchantUuid: merchantId,
    uuid,
    order: orderId,
    description: 'Created',
    clabe: payTo,
    beneficiary,
  };
}

export function depositFailure(description: string): DepositReply {
  return {
    status: 'fail',
    transactionId: 0,
    merchantUuid: '',
    uuid: '',
    order: '',
    description,
    clabe: '',
    beneficiary: '',
  };
}
