/**
 * The operator's users: they pause payouts, cancel waiting ones, approve large ones, change routes, state outcomes from the
 * bank's book, and decide on held money. They repeat failed commands.
 */
import type { TransferId } from '../../src/domain/deposits/deposit.ts';
import type { GatewayOperations } from '../../src/domain/gateway-operations.ts';
import type { PauseScope } from '../../src/domain/routing/pause-store.ts';
import type { MerchantId, PayoutKey } from '../../src/foundation/identifiers.ts';
import type { BankOrder } from './payout-bank.ts';
import { type PersonParts, untilDone as repeatUntilDone } from './until-done.ts';

export interface SimulatedOperator {
  pause(scope: PauseScope, target: string, ms: number): void;
  cancel(key: PayoutKey): void;
  approve(count: number): void;
  /** Routes the method to this rail first, for `ms`. */
  route(method: number, rail: string, ms: number): void;
  /** States the outcome of a payout as its order at the bank shows it. With `isGuess`, even while the bank has not decided. */
  state(key: PayoutKey, order: BankOrder, isGuess: boolean): void;
  /** Credits or returns up to `count` held transfers. */
  decideAboutHeld(count: number): void;
  /** Called after a restore that lost the cancellations. */
  forget(): void;
  /** Payouts that the gateway reported as cancelled, as `merchant/payout_id`. */
  readonly cancelled: ReadonlySet<string>;
  /** Payouts whose outcome the operator stated before the bank decided, as `merchant/payout_id`. */
  readonly guessed: ReadonlySet<string>;
  /** Deposits that the operator credited with another order's money, as `merchant/order`. */
  readonly credited: ReadonlySet<string>;
}

interface DepositName {
  readonly merchantId: MerchantId;
  readonly orderId: string;
}

interface OperatorParts extends PersonParts {
  readonly operations: () => Pick<GatewayOperations, 'pauses' | 'payouts' | 'deposits' | 'routes'>;
  /** Returns a random deposit of any merchant. */
  readonly anyDeposit: () => DepositName | undefined;
}

type Decision = 'credit' | 'move' | 'return';

const DECISIONS: readonly (readonly [number, Decision])[] = [
  [4, 'credit'],
  [2, 'move'],
  [4, 'return'],
];
const REASON = 'simulated';
const APPROVER = { by: 'person 1', person: '1', mailbox: 'one@example.com', detail: '' };

export function createSimulatedOperator({ world, operations, violated, anyDeposit }: OperatorParts): SimulatedOperator {
  const drawn = world.drawn.apart('operator');
  const cancelled = new Set<string>();
  const guessed = new Set<string>();
  const credited = new Set<string>();

  const untilDone = (command: () => Promise<unknown>) => repeatUntilDone({ world, violated }, command);

  function decide(transfer: TransferId, hasDeposit: boolean): void {
    const id = { rail: transfer.rail, transferKey: transfer.transferKey };
    const decision = drawn.weighted(DECISIONS);
    const { resolve, returnTransfer } = operations().deposits;
    if (decision === 'return') return void untilDone(() => returnTransfer({ ...id, reason: REASON }));
    const to = decision === 'credit' && hasDeposit ? null : anyDeposit();
    if (to === undefined) return;
    // The credit may have taken effect although its response was lost.
    if (to) credited.add(`${to.merchantId}/${to.orderId}`);
    void untilDone(() => resolve({ ...id, to, reason: REASON }));
  }

  return {
    forget: () => cancelled.clear(),
    cancelled,
    guessed,
    credited,
    pause(scope, target, ms) {
      void operations()
        .pauses.pause(scope, target, REASON)
        .catch(() => {});
      // The pause may have taken effect although its response was lost.
      world.after(ms, () => void untilDone(() => operations().pauses.resume(scope, target)));
    },
    cancel(key) {
      void untilDone(async () => {
        const outcome = await operations().payouts.cancel(key, REASON);
        if (outcome.ok) cancelled.add(`${key.merchantId}/${key.payoutId}`);
      });
    },
    approve(count) {
      void untilDone(async () => {
        const awaiting = await operations().payouts.awaiting({ merchantId: null, after: null, limit: count });
        for (const { payout } of awaiting) void untilDone(() => operations().payouts.approve(payout, APPROVER));
      });
    },
    route(method, rail, ms) {
      const limits = { minAmount: null, maxAmount: null, weight: null, costFixed: 0n, costPercent: 0n };
      void untilDone(() => operations().routes.set({ method, merchantId: null, rail, rank: 1, ...limits }));
      world.after(ms, () => void untilDone(() => operations().routes.remove(method, null, rail)));
    },
    state(key, { bank, state, remittance }, isGuess) {
      if (state === 'pending' && !isGuess) return;
      if (state === 'pending') guessed.add(remittance);
      const outcome = state === 'pending' ? drawn.oneOf(['executed', 'declined'] as const) : state;
      const blockedReason = outcome === 'declined' ? 'bank_declined' : null;
      const statement = { outcome, rail: bank, blockedReason, evidence: REASON, by: APPROVER.by } as const;
      void untilDone(() => operations().payouts.resolve(key, statement));
    },
    decideAboutHeld(count) {
      void untilDone(async () => {
        const held = await operations().deposits.held(count);
        for (const transfer of held) if (drawn.chance(0.8)) decide(transfer, transfer.orderId !== null);
      });
    },
  };
}
