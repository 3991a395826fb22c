import assert from 'node:assert/strict';
import { it } from 'node:test';
import { merchantNamed } from '../../../test/support/merchants/merchant-named.ts';
import type { Payout, PayoutEvent, PayoutStage } from './payout.ts';
import type { AdjustedBy, AdjustmentKind, SettlementFacts, SettlementPlan } from './payout-store.ts';
import { POSITIONS, type Position, positionOf, REPORTERS, type Reporter, reporterOf } from './payout-transitions.ts';
import { type PayoutReport, planSettlement } from './plan-settlement.ts';

const EVENTS: readonly PayoutEvent[] = [
  'executed',
  'declined',
  'expired',
  'cancelled',
  'reversed',
  'approved',
  'lapsed',
];
/** The payout is at A. B is an earlier rail. C has reported nothing yet. */
const RAILS = [null, 'A', 'B', 'C'];
const MAYBE = [undefined, 'A', 'B'];

const PAYOUT: Payout = {
  merchantId: 'M1',
  payoutId: 'P1',
  transactionId: 7,
  purpose: 'payout',
  method: 24,
  money: { currency: 'EUR', minor: 10_000n },
  amountText: '100.00',
  fee: 50n,
  rail: 'A',
  beneficiary: { accountShown: '', fields: {}, vaultToken: null },
  contentHash: Buffer.alloc(0),
  state: 'pending',
  blockedReason: null,
  acceptedAt: 1,
  finishedAt: null,
};
const BALANCES = { available: 1_000n, owed: -500n };
const MERCHANT = merchantNamed('M1');
const COMPOSE = { payout: () => ({}), event: () => ({}), refund: () => ({}) };

/** Every combination of the facts that a transition depends on, except those that no database can hold. */
const SITUATIONS: readonly SettlementFacts[] = [
  ...[5, 6].map((approveBy) => ({ ...factsOf('pending', 'awaiting_approval', null, {}), approveBy })),
  ...['queued', 'sending', 'at_bank', 'unknown'].flatMap((stage) =>
    [null, 'A', 'B'].flatMap((paidBy) =>
      MAYBE.map((contradicted) => factsOf('pending', stage as PayoutStage, paidBy, { contradicted })),
    ),
  ),
  ...MAYBE.flatMap((reversed) =>
    MAYBE.map((contradicted) => factsOf('success', null, null, { reversed, contradicted })),
  ),
  ...MAYBE.flatMap((reversed) =>
    MAYBE.flatMap((contradicted) =>
      MAYBE.map((late) => factsOf('blocked', null, null, { reversed, contradicted, late_execution: late })),
    ),
  ),
];

function factsOf(
  state: Payout['state'],
  stage: PayoutStage | null,
  paidBy: string | null,
  adjusted: Readonly<Partial<Record<AdjustmentKind, string | undefined>>>,
): SettlementFacts {
  const known = Object.entries(adjusted).filter(([, rail]) => rail !== undefined);
  const adjustedBy = Object.fromEntries(known) as AdjustedBy;
  return {
    payout: { ...PAYOUT, state },
    stage,
    paidBy,
    adjustedBy,
    isOvertaken: false,
    approveBy: stage === 'awaiting_approval' ? 9 : null,
  };
}

function reportOf(event: PayoutEvent, rail: string | null): PayoutReport {
  const approver = { person: 'H1', mailbox: 'ann@example.com' };
  return { event, rail, detail: 'a report', actor: rail ?? 'operator', at: 5, approver };
}

function planOf(facts: SettlementFacts, report: PayoutReport): SettlementPlan | undefined {
  return planSettlement(facts, report, { merchant: MERCHANT, compose: COMPOSE });
}

/** The facts after the plan's commit. */
function after(facts: SettlementFacts, { change, adjustment, paidBy, approver }: SettlementPlan): SettlementFacts {
  const { payout } = facts;
  const recorded = adjustment && { [adjustment.kind]: adjustment.rail ?? payout.rail };
  return {
    ...facts,
    payout: change ? { ...payout, state: change.state, rail: change.rail } : payout,
    stage: change ? null : approver ? 'queued' : facts.stage,
    paidBy: change ? null : (paidBy ?? facts.paidBy),
    adjustedBy: { ...facts.adjustedBy, ...recorded },
  };
}

const CASES = SITUATIONS.flatMap((facts) =>
  EVENTS.flatMap((event) => RAILS.map((rail) => ({ facts, report: reportOf(event, rail) }))),
);

function inWords({ facts, report }: (typeof CASES)[number]): string {
  return JSON.stringify({ ...facts, payout: facts.payout.state, event: report.event, rail: report.rail });
}

it('the cases of this test cover every state and every reporter of the payout’s transition table', () => {
  const reached = new Set<Position | Reporter>(
    CASES.flatMap(({ facts, report }) => [positionOf(facts), reporterOf(facts, report.rail)]),
  );
  assert.deepEqual([...reached].sort(), [...POSITIONS, ...REPORTERS].sort());
});

it('no report changes the state of a final payout', () => {
  for (const each of CASES.filter(({ facts }) => facts.payout.state !== 'pending')) {
    assert.equal(planOf(each.facts, each.report)?.change ?? null, null, inWords(each));
  }
});

/** A bank contradicts itself if it declines a payout that it reported as paid. Each later report does so again. */
function contradictsItself({ facts, report }: (typeof CASES)[number]): boolean {
  return facts.paidBy !== null && facts.paidBy === (report.rail ?? facts.payout.rail);
}

it('a replay of a bank’s report has no effect, whatever the first copy did', () => {
  for (const each of CASES.filter((one) => one.report.rail !== null && !contradictsItself(one))) {
    const plan = planOf(each.facts, each.report);
    if (plan) assert.equal(planOf(after(each.facts, plan), each.report), undefined, inWords(each));
  }
});

it('a payout posts a journal when it becomes final, and a contradiction moves no money', () => {
  for (const each of CASES) {
    const plan = planOf(each.facts, each.report);
    if (plan?.change) assert.notEqual(plan.journal, null, inWords(each));
    if (plan?.adjustment?.kind === 'contradicted') assert.equal(plan.journal, null, inWords(each));
  }
});

it('a cancellation blocks a payout only if no bank has received it', () => {
  for (const each of CASES.filter(({ report }) => report.event === 'cancelled')) {
    const isOwn = each.report.rail === null || each.report.rail === 'A';
    const isCancelled = ['queued', 'awaiting_approval'].includes(positionOf(each.facts)) && isOwn;
    assert.equal(planOf(each.facts, each.report)?.change?.state, isCancelled ? 'blocked' : undefined, inWords(each));
  }
});

it('only a payout that awaits its approval is blocked at the deadline', () => {
  for (const each of CASES.filter(({ report }) => ['approved', 'lapsed'].includes(report.event))) {
    const { facts, report } = each;
    const isOwn = report.rail === null || report.rail === 'A';
    const waits = facts.stage === 'awaiting_approval' && isOwn;
    const isLate = report.at >= (facts.approveBy ?? 0);
    const plan = planOf(facts, report);
    assert.equal(plan?.approver !== undefined, waits && !isLate && report.event === 'approved', inWords(each));
    assert.equal(
      plan?.change?.blockedReason === 'expired',
      waits && isLate && report.event === 'lapsed',
      inWords(each),
    );
  }
});

it('two reports in either order move the money according to the bank’s last report', () => {
  for (const facts of SITUATIONS.filter(({ payout, adjustedBy }) => {
    return payout.state === 'blocked' && Object.keys(adjustedBy).length === 0;
  })) {
    const net = (events: readonly PayoutEvent[]) => {
      let now = facts;
      let clearing = 0n;
      for (const event of events) {
        const plan = planOf(now, reportOf(event, 'A'));
        if (!plan) continue;
        const journal = plan.journal?.kind === 'weighed' ? plan.journal.journal(BALANCES) : plan.journal?.journal;
        for (const { debit, credit, amount } of journal?.transfers ?? []) {
          if (credit === 'clearing:A') clearing += amount;
          if (debit === 'clearing:A') clearing -= amount;
        }
        now = after(now, plan);
      }
      return clearing;
    };
    assert.equal(net(['executed', 'reversed']), 0n);
    assert.equal(net(['reversed', 'executed']), 0n);
    assert.equal(net(['executed']), PAYOUT.money.minor);
  }
});
