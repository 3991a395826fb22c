/**
 * Every transfer that a rail tells of, by whatever way. One that brings back the money of an order of ours reverses that
 * order's payout, which puts the money where it came from; were it received as well, it would count twice. Where no such
 * order is known, or the amount is another, it is received like any money that fits nothing. One that has the key of
 * another transfer but went to another address is money of its own, which nobody can account for yet: it is held.
 */
import type { Clock, Instant } from '../../foundation/clock.ts';
import { formatMoney, isSameMoney, type Money } from '../../foundation/money.ts';
import { OF_NOTHING_OF_OURS, type ReportedDifference } from '../differences/difference.ts';
import type { DifferenceStore } from '../differences/difference-store.ts';
import type { Payout } from '../payouts/payout.ts';
import type { PayoutStore } from '../payouts/payout-store.ts';
import type { ReportPayout } from '../payouts/report-payout.ts';
import type { FoundBy, IncomingTransfer } from './deposit.ts';
import type { ReceiptOutcome } from './deposit-store.ts';
import type { Disposition, ReceiveTransfer } from './receive-transfer.ts';

export interface TakeTransferParts {
  readonly payouts: Pick<PayoutStore, 'findByReference'>;
  readonly report: ReportPayout;
  readonly receive: ReceiveTransfer;
  readonly differences: Pick<DifferenceStore, 'report'>;
  readonly clock: Clock;
}

/** How a transfer stands in the books, whatever it is called in the telling at hand. */
export interface TakenTransfer {
  /** `known`: it was recorded before. */
  readonly kind: 'recorded' | 'known';
  readonly isSentBack: boolean;
  readonly money: Money;
}

/** Resolves when it is durably recorded. */
export type TakeTransfer = (
  transfer: IncomingTransfer,
  foundBy: FoundBy,
  disposition?: Disposition,
) => Promise<TakenTransfer>;

export function createTakeTransfer({ payouts, report, receive, differences, clock }: TakeTransferParts): TakeTransfer {
  return async (transfer, foundBy, disposition) => {
    const payout = await broughtBack(payouts, transfer);
    if (!payout) {
      const outcome = await receive(transfer, foundBy, disposition);
      const difference = differenceOf(transfer, outcome, clock.now());
      if (difference) await differences.report(difference);
      if (outcome.kind === 'recorded' || outcome.payTo === transfer.payTo) return takenAs(transfer, outcome);
      return takenAs(
        transfer,
        await receive(asNamesake(transfer), foundBy, disposition === 'sent_back' ? 'sent_back' : 'hold'),
      );
    }
    const { rail, transferKey, money } = transfer;
    const detail = `came back as ${transferKey}`;
    const outcome = await report(payout, null, { event: 'reversed', rail, detail, actor: rail, at: clock.now() });
    return { kind: outcome.kind === 'settled' ? 'recorded' : 'known', isSentBack: false, money };
  };
}

/** Undefined: it is as it was recorded. Which amount is right, a person finds out. */
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

/** What a transfer is called whose key another one has that went to another address. */
export function asNamesake(transfer: IncomingTransfer): IncomingTransfer {
  return { ...transfer, transferKey: `${transfer.transferKey}/${transfer.payTo}` };
}

function takenAs({ money }: IncomingTransfer, outcome: ReceiptOutcome): TakenTransfer {
  return outcome.kind === 'known'
    ? { kind: 'known', isSentBack: outcome.state === 'sent_back', money: outcome.money }
    : { kind: 'recorded', isSentBack: outcome.plan.transfer.state === 'sent_back', money };
}

async function broughtBack(
  payouts: TakeTransferParts['payouts'],
  { rail, returnOf, money }: IncomingTransfer,
): Promise<Payout | undefined> {
  const payout = returnOf ? await payouts.findByReference(rail, returnOf) : undefined;
  return payout && isSameMoney(payout.money, money) ? payout : undefined;
}
