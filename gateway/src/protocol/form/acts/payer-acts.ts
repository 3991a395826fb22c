/**
 * The payer's actions on a page, as a table. An action counts only if the page that the payer saw offers it. The next page
 * shows its outcome, so nothing happens twice.
 */
import { FORM_PAYMENT_TYPES } from '../../../domain/methods/payment-type.ts';
import { handleReturn } from '../../../domain/payments/attempts/handle-return.ts';
import { abandonAttempt, cancelPayment } from '../../../domain/payments/attempts/leave-payment.ts';
import { mayBePaid } from '../../../domain/payments/attempts/payment-attempt.ts';
import { type AttemptRejection, startAttempt } from '../../../domain/payments/attempts/start-attempt.ts';
import type { PaymentCard } from '../../../domain/payments/payment-rail.ts';
import type { WalletPayment } from '../../../domain/payments/wallet.ts';
import { type Clock, SECOND_MS } from '../../../foundation/clock.ts';
import { invariant } from '../../../foundation/invariant.ts';
import type { FormParts, Visit } from '../form-visit.ts';
import { PAYER_ACTS, type PageView, type PayerAct, type ProblemKind, type ViewOf } from '../pages/page-view.ts';
import type { PageChoice } from '../view/page-choice.ts';
import { mustAskToCancel, viewOf } from '../view/payment-view.ts';
import { ANOTHER_BANK, shopOf, shownAttempt, type ViewFacts } from '../view/view-facts.ts';
import {
  actingPayer,
  type PostedFields,
  type ReadDetails,
  type Requester,
  readCard,
  readDetails,
} from './read-payer.ts';
import { readWalletPayment } from './read-wallet.ts';

/** Returns undefined if the page did not offer the action. */
type Act = (request: ActRequest) => Promise<ActAnswer | undefined> | ActAnswer | undefined;

const ACTS: Readonly<Record<PayerAct, Act>> = {
  choose: ({ view, facts, posted }) => {
    const type = FORM_PAYMENT_TYPES.find((each) => each === posted.get('payment_type'));
    const isOffered = view.kind === 'choose' && view.types.some((each) => each === type);
    return isOffered && type !== undefined ? go({ ...facts.choice, type }) : undefined;
  },
  choose_bank: (request) => {
    const { view, facts, posted } = request;
    const bankId = posted.get('bank_id') ?? '';
    if (view.kind !== 'bank' || !facts.banks.some((bank) => bank.bankId === bankId)) return undefined;
    return afterBank({ ...request, facts: { ...facts, choice: { ...facts.choice, type: 'open_banking', bankId } } });
  },
  pay: (request) =>
    request.view.kind === 'card' || request.view.kind === 'details' ? payFromPage(request, request.view) : undefined,
  pay_by_wallet: (request) => (request.view.kind === 'card' ? payByWallet(request, request.view) : undefined),
  async go_on({ parts, visit, facts, view, posted, requester }) {
    if (view.kind !== 'fingerprint') return undefined;
    const { attempt, deposit } = actingAttempt(facts);
    const fields = { completed: posted.get('completed') === 'yes' ? 'yes' : 'no' };
    await handleReturn(parts.payments, attempt, deposit, actingPayer(parts, visit, facts.choice, requester), {
      fields,
    });
    return go(onward(facts.choice));
  },
  try_again: ({ view, facts }) => {
    const last = shownAttempt(facts.record);
    if (view.kind !== 'refused' || !view.canRetry || !last) return undefined;
    const type = FORM_PAYMENT_TYPES.find((each) => each === last.paymentType);
    return go({ ...onward(facts.choice), after: last.attempt, ...(type === undefined ? {} : { type }) });
  },
  another_way: ({ parts, facts, view }) => {
    if ('hasOtherTypes' in view && view.hasOtherTypes) return go(anotherWay(facts));
    return 'payment' in view && view.payment.canChangeWay ? leaveAttempt(parts, facts, anotherWay(facts)) : undefined;
  },
  another_bank: ({ parts, facts, view }) => {
    if (!('payment' in view && view.payment.canChangeBank)) return undefined;
    const isActing = shownAttempt(facts.record)?.state === 'acting';
    return isActing ? leaveAttempt(parts, facts, anotherBank(facts)) : go(anotherBank(facts));
  },
  // The current page follows in every case, because the question to the payer changed nothing.
  continue_paying: ({ facts }) => go(onward(facts.choice)),
  cancel: ({ parts, facts, view }) => {
    if (!('payment' in view && view.payment.canCancel)) return undefined;
    if (view.kind === 'cancel_question' || !mustAskToCancel(facts)) return cancel(parts, facts);
    return go({ ...onward(facts.choice), isCancelled: true });
  },
};

export async function performPayerAct(name: string, request: ActRequest): Promise<ActAnswer> {
  const act = PAYER_ACTS.find((each) => each === name);
  const answer = act === undefined ? undefined : await ACTS[act](request);
  return answer ?? go(onward(request.facts.choice));
}

function go(choice: PageChoice): ActAnswer {
  return { kind: 'go', choice };
}

function anotherWay({ record, choice }: ViewFacts): PageChoice {
  const { bankId: _, ...kept } = onward(choice);
  const after = shownAttempt(record)?.attempt;
  return { ...kept, type: 'choose', ...(after === undefined ? {} : { after }) };
}

function anotherBank(facts: ViewFacts): PageChoice {
  return { ...anotherWay(facts), type: 'open_banking', bankId: ANOTHER_BANK };
}

/** Choosing a bank is treated as consent. The payer sees the details page only if the rail still needs details. */
async function afterBank(request: ActRequest): Promise<ActAnswer> {
  const view = viewOf(request.facts);
  if (view.kind !== 'details' || view.details.fields.length > 0) return go(request.facts.choice);
  return payFromPage(request, view);
}

function actingAttempt({ record }: ViewFacts) {
  const attempt = shownAttempt(record);
  invariant(attempt && record.deposit, 'step has no attempt');
  return { attempt, deposit: record.deposit };
}

/** Goes on to `next`, unless the provider reports that the payer has paid. */
async function leaveAttempt(parts: FormParts, facts: ViewFacts, next: PageChoice): Promise<ActAnswer> {
  const { attempt, deposit } = actingAttempt(facts);
  const left = await abandonAttempt(parts.payments, attempt, deposit);
  return go(mayBePaid(left) ? onward(facts.choice) : next);
}

/** Before the payer submitted, no deposit exists, so nothing is written. */
async function cancel(parts: FormParts, facts: ViewFacts): Promise<ActAnswer> {
  const { deposit } = facts.record;
  if (deposit === null) return go({ ...onward(facts.choice), isCancelled: true });
  await cancelPayment(parts.payments, { deposit, attempt: shownAttempt(facts.record) });
  return go(onward(facts.choice));
}

interface ActRequest {
  readonly parts: FormParts;
  readonly visit: Visit;
  readonly facts: ViewFacts;
  /** The view on which the payer acted. */
  readonly view: PageView;
  readonly posted: PostedFields;
  readonly requester: Requester;
  readonly tries: BackgroundAttempts;
}

/** `go` redirects to the current page. `show` responds directly, because a reloaded page would lose this view. */
type ActAnswer =
  | { readonly kind: 'go'; readonly choice: PageChoice }
  | { readonly kind: 'show'; readonly view: PageView; readonly choice: PageChoice; readonly status?: number };

/** Returns the choices that stay valid whatever the payment's outcome. */
export function onward({ language, bankId }: PageChoice): PageChoice {
  const isBank = bankId !== undefined && bankId !== ANOTHER_BANK;
  return { ...(language === undefined ? {} : { language }), ...(isBank ? { bankId } : {}) };
}

const UNPROCESSABLE = 422;

async function payFromPage(request: ActRequest, view: ViewOf<'card'> | ViewOf<'details'>): Promise<ActAnswer> {
  const { parts, visit, facts, posted } = request;
  const { choice } = facts;
  const details = readDetails(view.details.fields, posted, visit.merchant.settings);
  if (view.kind === 'details') {
    if (details.areRight) return attemptOnce(request, view.paymentType, null, details);
    return { kind: 'show', view: { ...view, details: details.shown }, choice, status: UNPROCESSABLE };
  }
  const { card, errors, holder } = readCard(posted, parts.payments.clock.now(), view.brands);
  if (card !== null && details.areRight) return attemptOnce(request, 'card', card, details);
  return { kind: 'show', view: { ...view, errors, holder, details: details.shown }, choice, status: UNPROCESSABLE };
}

/** Resolves to undefined if the page did not offer this wallet, or the text is not a token. */
async function payByWallet(request: ActRequest, { wallets }: ViewOf<'card'>): Promise<ActAnswer | undefined> {
  const payment = readWalletPayment(request.posted);
  const isOffered = payment?.wallet === 'apple_pay' ? wallets?.appleCountry != null : wallets?.googlePay != null;
  if (!payment || !wallets || !isOffered) return undefined;
  const details = readDetails(wallets.needsEmail ? ['email'] : [], request.posted, request.visit.merchant.settings);
  return attemptOnce(request, 'card', payment, { given: details.areRight ? details.given : {} });
}

async function attemptOnce(
  { parts, visit, facts, requester, tries }: ActRequest,
  paymentType: ViewOf<'details'>['paymentType'] | 'card',
  card: PaymentCard | WalletPayment | null,
  { given }: Pick<ReadDetails, 'given'>,
): Promise<ActAnswer> {
  const wanted = actingPayer(parts, visit, facts.choice, requester, given);
  const attemptsSeen = visit.record.attempts.length;
  const tried = await tries.wait(startAttempt(parts.payments, { ...wanted, paymentType, card, attemptsSeen }));
  const problem = !tried || tried.ok ? undefined : PROBLEMS[tried.error.kind];
  const choice = onward(facts.choice);
  if (!problem) return { kind: 'go', choice };
  const shopUrl = shopOf(visit.record, visit.merchant);
  return { kind: 'show', view: { kind: 'problem', problem, shopUrl }, choice };
}

/** Rejections that need a problem page. Null means that the payment's own page shows the reason. */
const PROBLEMS: Readonly<Record<AttemptRejection['kind'], ProblemKind | null>> = {
  method_unavailable: 'method_unavailable',
  merchant_disabled: 'merchant_unavailable',
  order_paid: 'order_already_paid',
  order_in_use: 'order_being_paid',
  session_expired: null,
  in_flight: null,
  ended: null,
  too_many_attempts: null,
  out_of_date: null,
  token_used: 'out_of_date',
  attempt_limit: 'too_many_requests',
};

export interface BackgroundAttempts {
  /** Returns undefined if the work takes longer than a payer should wait. A later failure goes to `onFailed`. */
  wait<Result>(work: Promise<Result>): Promise<Result | undefined>;
  /** Resolves when no attempt is in flight. */
  drain(): Promise<void>;
}

const PATIENCE_MS = 10 * SECOND_MS;

/**
 * Attempts at slow providers. The payer's request waits for a while, so most payers see the result immediately. After that
 * the page shows that the payment is pending, and the attempt continues in the background.
 */
export function createBackgroundAttempts(clock: Clock, onFailed: (error: unknown) => void): BackgroundAttempts {
  const inFlight = new Set<Promise<unknown>>();
  return {
    async wait<Result>(work: Promise<Result>) {
      const over = new AbortController();
      const late = clock.sleep(PATIENCE_MS, over.signal).then(() => 'late' as const);
      try {
        const first = await Promise.race([work.then((result) => ({ result })), late]);
        if (first !== 'late') return first.result;
      } finally {
        over.abort('it is over');
      }
      const rest = work.catch(onFailed).finally(() => inFlight.delete(rest));
      inFlight.add(rest);
      return undefined;
    },
    async drain() {
      await Promise.all(inFlight);
    },
  };
}
