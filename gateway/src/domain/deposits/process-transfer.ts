/**
 * Processes every transfer that a rail reports, by notification or list. A transfer that returns an outgoing order reverses
 * that order's payout, which returns the money to its source. Receiving it too would count it twice. If the order is unknown
 * or the amount differs, the transfer is received as unmatched money. A known key with a different address is different money,
 * and is held.
 */

import type { Clock, Instant } from '../../foundation/clock.ts';
import { formatMoney, isSameMoney, type Money } from '../../foundation/money.ts';
import type { WithParts } from '../../foundation/with-parts.ts';
import { OF_NOTHING_OF_OURS, type ReportedDifference } from '../differences/difference.ts';
import type { DifferenceStore } from '../differences/difference-store.ts';
import type { Payout } from '../payouts/payout.ts';
import type { PayoutStore } from '../payouts/payout-store.ts';
import type { SettlePayout } from '../payouts/settle-payout.ts';
import type { FoundBy, IncomingTransfer } from './deposit.ts';
import type { ReceiptOutcome } from './deposit-store.ts';
import type { Disposition, receiveTransfer } from './receive-transfer.ts';

interface ProcessTransferParts {
  readonly payouts: Pick<PayoutStore, 'findByReference'>;
  readonly settle: SettlePayout;
  readonly receive: WithParts<typeof receiveTransfer>;
  readonly differences: Pick<DifferenceStore, 'report'>;
  readonly clock: Clock;
}

/** The recorded state of a transfer, which may differ from the current report. */
interface ProcessedTransfer {
  /** `known` means that it was recorded earlier. */
  readonly kind: 'recorded' | 'known';
  readonly isSentBack: boolean;
  readonly money: Money;
}

export type ProcessTransfer = WithParts<typeof processTransfer>;

/** Resolves once the transfer is durably recorded. */
export async function processTransfer(
  { payouts, settle, receive, differences, clock }: ProcessTransferParts,
  transfer: IncomingTransfer,
  foundBy: FoundBy,
  disposition?: Disposition,
): Promise<ProcessedTransfer> {
  const payout = await broughtBack(payouts, transfer);
  if (!payout) {
    const outcome = await receive(transfer, foundBy, disposition);
    const difference = differenceOf(transfer, outcome, clock.now());
    if (difference) await differences.report(difference);
    if (outcome.kind === 'recorded' || outcome.payTo === transfer.payTo) return processedAs(transfer, outcome);
    return processedAs(
      transfer,
      await receive(asNamesake(transfer), foundBy, disposition === 'sent_back' ? 'sent_back' : 'hold'),
    );
  }
  const { rail, transferKey, money } = transfer;
  const detail = `came back as ${transferKey}`;
  const outcome = await settle(payout, null, { event: 'reversed', rail, detail, actor: rail, at: clock.now() });
  return { kind: outcome.kind === 'settled' ? 'recorded' : 'known', isSentBack: false, money };
}

/** Returns undefined if the transfer matches its record. Otherwise the operator decides which amount is correct. */
function differenceOf(
  { rail, transferKey: subject, payTo, money }: IncomingTransfer,
  outcome: ReceiptOutcome,
  foundAt: Instant,
): ReportedDifference | undefined {
  if (outcome.kind !== 'known' || outcome.payTo !== payTo || isSameMoney(outcome.money, money)) return undefined;
  return {
    ...OF_NOTHING_OF_OURS,
    foundAt,
    kind: 'transfer_amount',
    rail,
    subject,
    ours: formatMoney(outcome.money),
    theirs: formatMoney(money),
  };
}

/** Returns the transfer with the key that it gets if an earlier transfer to a different address already has its own key. */
export function asNamesake(transfer: IncomingTransfer): IncomingTransfer {
  return { ...transfer, transferKey: `${transfer.transferKey}/${transfer.payTo}` };
}

function processedAs({ money }: IncomingTransfer, outcome: ReceiptOutcome): ProcessedTransfer {
  return outcome.kind === 'known'
    ? { kind: 'known', isSentBack: outcome.state === 'sent_back', money: outcome.money }
    : { kind: 'recorded', isSentBack: outcome.plan.transfer.state === 'sent_back', money };
}

async function broughtBack(
  payouts: ProcessTransferParts['payouts'],
  { rail, returnOf, money }: IncomingTransfer,
): Promise<Payout | undefined> {
  const payout = returnOf ? await payouts.findByReference(rail, returnOf) : undefined;
  return payout && isSameMoney(payout.money, money) ? payout : undefined;
}
