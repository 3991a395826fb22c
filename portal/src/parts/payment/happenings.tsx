/** The timeline of a payment: its history, its attempts at banks, its callbacks and the expected next steps. */
import type { Callback } from '../../../../gateway/contract/endpoints/callbacks.ts';
import type { HistoryEntry } from '../../../../gateway/contract/parts/answer-parts.ts';
import type { Words } from '../../words/en/en.ts';
import { actorName } from '../../words/words.ts';
import { PageLink } from '../links/page-link.tsx';
import { callbackPath } from '../links/paths.ts';
import { Moment } from '../time/moment.tsx';
import type { FutureStep, StepKind } from './future.ts';
import type { Happening } from './timeline.tsx';

interface Sending {
  readonly attempt: number;
  readonly rail: string;
  readonly reference: string;
  readonly startedAt: string;
  readonly outcome: string | null;
  readonly detail: string;
}

interface Past {
  readonly history: readonly HistoryEntry[];
  /** The attempts that the gateway sent to banks. */
  readonly sendings: readonly Sending[];
  readonly callbacks: readonly Callback[];
}

type Payment = Words['payment'];

export function pastOf({ history, sendings, callbacks }: Past, words: Words): readonly Happening[] {
  const { payment, states } = words;
  const all = [
    ...history.map((entry, place) => ofHistory(entry, place, words)),
    ...sendings.map((sending) => ofSending(sending, payment, states)),
    ...callbacks
      .filter(({ finishedAt, state }) => finishedAt !== null && state !== 'not_wanted')
      .map((callback) => ofCallback(callback, payment)),
  ];
  return all.toSorted((one, other) => Date.parse(one.at ?? '') - Date.parse(other.at ?? ''));
}

const EVENT_ICONS: Readonly<Record<string, Happening['icon']>> = {
  accepted: 'begin',
  opened: 'begin',
  created: 'begin',
  submitted: 'begin',
  executed: 'good',
  received: 'good',
  declined: 'bad',
  cancelled: 'bad',
  expired: 'bad',
  lapsed: 'bad',
  reversed: 'bad',
  displaced: 'bad',
  approved: 'person',
  resolved: 'person',
  refund_requested: 'person',
  return_requested: 'person',
  rerouted: 'change',
  progressed: 'bank',
};

function ofHistory({ at, event, actor, detail, reasons }: HistoryEntry, place: number, words: Words): Happening {
  const { payment, historyReasons, states } = words;
  const texts = reasons.map(({ code, values }) => historyReasons[code](...values));
  return {
    key: `history ${place}`,
    at,
    icon: EVENT_ICONS[event] ?? 'change',
    title: payment.events[event] ?? states[event] ?? spoken(event),
    detail: [actorName(payment, { name: actor }), texts.length > 0 ? texts.join('; ') : detail]
      .filter((part) => part !== '')
      .join(' · '),
  };
}

function ofSending(sending: Sending, payment: Payment, states: Words['states']): Happening {
  const { attempt, rail, reference, startedAt, outcome, detail } = sending;
  const said = [outcome === null ? '' : (states[outcome] ?? spoken(outcome)), detail]
    .filter((part) => part !== '')
    .join(' · ');
  return {
    key: `sending ${attempt}`,
    at: startedAt,
    icon: 'send',
    title: payment.sentTo(rail, attempt),
    detail: (
      <>
        <span className="code">{reference}</span>
        {said === '' ? null : ` · ${said}`}
      </>
    ),
  };
}

function ofCallback({ merchantId, callbackId, state, attempts, finishedAt }: Callback, payment: Payment): Happening {
  const isGood = state === 'delivered';
  return {
    key: `callback ${callbackId}`,
    at: finishedAt,
    icon: isGood ? 'callback' : 'bad',
    title: (
      <PageLink to={callbackPath(merchantId, callbackId)}>
        {isGood ? payment.calledBack : payment.notCalledBack}
      </PageLink>
    ),
    detail: `× ${attempts}`,
  };
}

const STEP_ICONS: Readonly<Record<StepKind, Happening['icon']>> = {
  approval: 'person',
  send: 'send',
  ask: 'ask',
  result: 'bank',
  pay: 'wait',
  decide: 'held',
  callback: 'callback',
};

export function expectedOf(steps: readonly FutureStep[], payment: Payment): readonly Happening[] {
  return steps.map(({ kind, at, halfBy }) => ({
    key: `expected ${kind}`,
    icon: STEP_ICONS[kind],
    title: payment.steps[kind],
    isExpected: true,
    ...(kind === 'result'
      ? { at: null, detail: <Range halfBy={halfBy} mostBy={at} payment={payment} /> }
      : { at, detail: payment.stepNotes[kind] ?? '' }),
  }));
}

function Range({ halfBy, mostBy, payment }: { halfBy: string | null; mostBy: string | null; payment: Payment }) {
  return (
    <>
      {halfBy === null ? null : (
        <>
          {payment.halfBy} <Moment at={halfBy} isShort />
        </>
      )}
      {halfBy !== null && mostBy !== null ? ', ' : null}
      {mostBy === null ? null : (
        <>
          {payment.mostBy} <Moment at={mostBy} isShort />
        </>
      )}
    </>
  );
}

/** Formats awaiting_approval as Awaiting approval. */
function spoken(word: string): string {
  const text = word.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
