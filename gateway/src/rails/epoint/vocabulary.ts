/**
 * Tables of Epoint's statuses of a payment, and of its banks' reason codes. Pure.
 *
 * Confirmed by Epoint's API description: new, success, failed, error, returned, server_error; `error` is the status of a
 * failed payment in responses to queries. Confirmed by its list of codes: 000 approved, 1xx declined, 2xx declined with the
 * card to be retained, and some of 9xx. Not confirmed: when a payout is `returned`; the codes of payouts. So a code of another
 * group, or of an undecided bank, proves no decline.
 */
import type { RailStatus } from '../../domain/payouts/payout-rail.ts';
import { declined, type Reason, unknown } from '../kit/rail-answers.ts';

export const DECLINE_REASONS: ReadonlyMap<string, Reason> = new Map<string, Reason>([
  ['', { blockedReason: 'unspecified', meaning: '' }],
  ['101', { blockedReason: 'invalid_beneficiary', meaning: 'the card has expired' }],
  ['102', { blockedReason: 'limit_or_risk', meaning: 'suspected fraud' }],
  ['104', { blockedReason: 'invalid_beneficiary', meaning: 'the card is restricted' }],
  ['110', { blockedReason: 'limit_or_risk', meaning: 'the amount is not accepted' }],
  ['111', { blockedReason: 'invalid_beneficiary', meaning: 'no valid card' }],
  ['116', { blockedReason: 'bank_declined', meaning: 'not enough funds' }],
  ['121', { blockedReason: 'limit_or_risk', meaning: 'over a limit' }],
  ['123', { blockedReason: 'limit_or_risk', meaning: 'too many operations with the card' }],
  ['125', { blockedReason: 'invalid_beneficiary', meaning: 'the card is not active' }],
  ['129', { blockedReason: 'limit_or_risk', meaning: 'suspected counterfeit' }],
  ['208', { blockedReason: 'invalid_beneficiary', meaning: 'the card was lost' }],
  ['209', { blockedReason: 'invalid_beneficiary', meaning: 'the card was stolen' }],
  ['902', { blockedReason: 'unspecified', meaning: 'no valid transaction' }],
  ['904', { blockedReason: 'unspecified', meaning: 'a field has the wrong format' }],
  ['905', { blockedReason: 'bank_declined', meaning: 'the bank is unreachable from Epoint' }],
  ['908', { blockedReason: 'bank_declined', meaning: 'no route leads to the bank' }],
  ['950', { blockedReason: 'unspecified', meaning: 'against the agreement' }],
]);
const DECLINED_BY_BANK: Reason = { blockedReason: 'bank_declined', meaning: 'declined by the bank' };

/** Returns undefined if the code does not mean that the payout was declined. */
function declineReasonOf(code: string): Reason | undefined {
  return DECLINE_REASONS.get(code) ?? (/^[12]\d\d$/.test(code) ? DECLINED_BY_BANK : undefined);
}

const APPROVED: ReadonlySet<string> = new Set(['', '000']);

/**
 * Maps Epoint's status and code to a payout status. The caller must first check that the response is about this payout.
 * `code` is empty or three letters and digits.
 */
export function meaningOf(status: string, code: string): Exclude<RailStatus, { kind: 'not_found' }> {
  switch (status) {
    case 'success':
      return APPROVED.has(code) ? { kind: 'executed' } : unclear(code);
    case 'failed':
    case 'error':
      return declinedFor(code);
    case 'returned':
      return { kind: 'reversed', reason: 'returned to us by Epoint' };
    case 'new':
      return { kind: 'pending' };
    case 'server_error':
      return unknown('the payout failed at Epoint');
    default:
      return unknown('Epoint’s status is undocumented');
  }
}

/** Our own text, because Epoint's might contain a card number. */
function declinedFor(code: string): Exclude<RailStatus, { kind: 'not_found' }> {
  const reason = declineReasonOf(code);
  if (reason === undefined) return unclear(code);
  const said = [code, reason.meaning].filter((part) => part !== '').join(': ');
  return declined(reason.blockedReason, `Epoint reports ${said || 'no reason'}`);
}

const unclear = (code: string) => unknown(`Epoint’s status and code ${code} do not determine the outcome`);
