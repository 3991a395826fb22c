/** Rails, pauses of payouts, and the differences between providers and the ledger. */
import type {
  Difference as DifferenceView,
  RailFloat as FloatView,
  RAIL_ENDPOINTS,
  Rail as RailView,
} from '../../../../contract/endpoints/rails.ts';
import { DIFFERENCE_KINDS, type DifferenceKind, type KeptDifference } from '../../../domain/differences/difference.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import { PAYOUT_PURPOSES } from '../../../domain/methods/payout-purpose.ts';
import { isLow, type RailFloat } from '../../../domain/rails/rail-health.ts';
import { maskRequest } from '../../../domain/requests/mask-request.ts';
import { OPENING_HOURS_ACCEPTED, readOpeningHours } from '../../../domain/routing/opening-hours.ts';
import type { PauseScope } from '../../../domain/routing/pause-store.ts';
import { isCurrency } from '../../../foundation/currency.ts';
import { formatAmount, parseAmount } from '../../../foundation/money.ts';
import { fail, ok } from '../../../foundation/result.ts';
import type { HandlersOf } from '../handler.ts';
import { type ManageProblem, notFound, wordsProblem } from '../problems.ts';
import { instantText, instantTextOrNull } from '../views/instant-text.ts';
import { type Mask, maskFor } from '../views/mask.ts';
import { routeProblem } from './routes.ts';

/** A query or a part of a path may contain personal data: an account, a tax number, an address. */
function maskPath(path: string, reference: string, mask: Mask): string {
  const [place = '', query] = path.split('?');
  const parts = place.split('/').map((part) => (part !== reference && /\d{6}|@|%40/.test(part) ? mask(part) : part));
  return query === undefined ? parts.join('/') : `${parts.join('/')}?${maskRequest(query, mask)}`;
}

export function railHandlers(operations: GatewayOperations): HandlersOf<typeof RAIL_ENDPOINTS> {
  const { pauses, differences, routes, rails } = operations;
  const noSuchRail = async (rail: string) =>
    fail(routeProblem({ kind: 'no_such_rail', rails: (await rails.list()).map(({ name }) => name) }, rail));
  return {
    async 'rails.list'() {
      return ok({ answer: { items: await viewRails(operations) } });
    },
    async 'rails.show'({ params }) {
      const answer = (await viewRails(operations)).find(({ name }) => name === params.rail);
      return answer ? ok({ answer }) : noSuchRail(params.rail);
    },
    ...exchangeHandlers(operations),
    ...setupHandlers(operations),
    ...runningHandlers(operations),
    async 'rails.setHours'({ params: { rail }, body }) {
      const hours = body.hours === null ? null : readOpeningHours(body.hours);
      if (hours === undefined) {
        const detail = `hours must be null, or ${OPENING_HOURS_ACCEPTED}.`;
        return fail({ code: 'invalid-request', field: '/hours', detail });
      }
      const before = (await routes.read()).hours.find((each) => each.rail === rail)?.hours.text ?? null;
      const set = await routes.setHours(rail, hours);
      if (!set.ok) return fail(routeProblem(set.error, rail));
      const answer = { hours: hours?.text ?? null };
      return ok({ answer, change: { before: { hours: before }, after: answer } });
    },
    async 'rails.setThreshold'({ params: { rail, currency }, body }) {
      if (!isCurrency(currency)) return fail(notFound(`currency ${currency} is not supported.`, 'currency'));
      const threshold = body.threshold === null ? null : parseAmount(body.threshold, currency);
      if (threshold === undefined) {
        const detail = `threshold must be above zero, with the decimals of ${currency}.`;
        return fail({ code: 'invalid-request', field: '/threshold', detail });
      }
      if (!(await rails.list()).some(({ name }) => name === rail)) return noSuchRail(rail);
      const before = (await rails.floats()).find((each) => each.rail === rail && each.currency === currency);
      await rails.setFloatThreshold(rail, currency, threshold?.minor ?? null);
      const answer = { threshold: threshold && formatAmount(threshold) };
      const former = before ? viewFloat(before).threshold : null;
      return ok({ answer, change: { before: { threshold: former }, after: answer } });
    },
    async 'pauses.list'() {
      const items = (await pauses.list()).map(({ since, ...pause }) => ({ ...pause, since: instantText(since) }));
      return ok({ answer: { items } });
    },
    async 'pauses.pause'({ params: { scope, target }, body }) {
      if (!(await isPausable(operations, scope, target)))
        return fail(notFound(`The gateway has no ${scope} "${target}". Check its spelling.`, 'target'));
      const paused = await pauses.pause(scope, target, body.reason);
      return ok({ answer: { paused }, change: { before: { paused: !paused }, after: { paused: true } } });
    },
    async 'pauses.resume'({ params: { scope, target } }) {
      const resumed = await pauses.resume(scope, target);
      if (resumed === undefined) return fail(notFound(`The ${scope} "${target}" is not paused.`));
      return ok({ answer: { resumed }, change: { before: { paused: true }, after: { paused: false } } });
    },
    async 'differences.list'({ query }) {
      const { rail = null, day = null, kind = null, all = false } = query;
      if (kind !== null && !isKind(kind)) return fail(kindProblem());
      const found = await differences.list({ rail, day, kind, openOnly: !all });
      return ok({ answer: { items: found.map(viewDifference) } });
    },
    async 'differences.show'({ params: { kind, ...key } }) {
      const found = isKind(kind) ? await differences.find({ ...key, kind }) : undefined;
      return found ? ok({ answer: viewDifference(found) }) : fail(NO_DIFFERENCE);
    },
    async 'differences.resolve'({ params: { kind, ...key }, body, caller }) {
      if (!isKind(kind)) return fail(NO_DIFFERENCE);
      const resolved = await differences.resolve({ ...key, kind }, caller.actor.name, body.reason);
      if (resolved.ok) return ok({ answer: { resolved: true }, change: { before: null, after: { resolved: true } } });
      return fail(resolved.error === 'no_open_difference' ? NO_DIFFERENCE : wordsProblem(resolved.error));
    },
  };
}

/** Handles the set-up of rails: the variables that they need, and a live test. */
function setupHandlers({ rails }: GatewayOperations) {
  return {
    async 'rails.setups'() {
      const items = (await rails.setups()).map((setup) => ({ ...setup, variables: [...setup.variables] }));
      return ok({ answer: { items } });
    },
    async 'rails.test'({ params: { rail } }) {
      const found = await rails.test(rail);
      const detail = `The process that serves this request has no rail "${rail}" with a provider. Set its variables, and restart.`;
      return found ? ok({ answer: { items: [...found] } }) : fail({ code: 'not-found', field: 'rail', detail });
    },
  } satisfies Partial<HandlersOf<typeof RAIL_ENDPOINTS>>;
}

/** Shows exchanges with providers. */
function exchangeHandlers({ rails }: GatewayOperations): Pick<HandlersOf<typeof RAIL_ENDPOINTS>, 'rails.exchanges'> {
  return {
    async 'rails.exchanges'({ params: { rail, reference }, caller }) {
      const mask = maskFor(caller);
      const items = (await rails.exchanges(rail, reference)).map(({ call, answer, at, method, path, ...rest }) => ({
        call,
        answer,
        at: instantText(at),
        durationMs: rest.durationMs,
        method,
        path: maskPath(path, reference, mask),
        request: maskRequest(rest.request.toString('utf8'), mask),
        status: rest.status,
        reply: maskRequest(rest.reply.toString('utf8'), mask),
        failure: rest.failure,
      }));
      return ok({ answer: { items } });
    },
  };
}

/** The running processes, and the waiting payouts. */
function runningHandlers({ monitoring }: GatewayOperations) {
  return {
    async 'processes.list'() {
      const items = (await monitoring.processes()).map(
        ({ since, seenAt, rails: names, sendingRails: _, ...process }) => ({
          ...process,
          rails: [...names],
          since: instantText(since),
          seenAt: instantText(seenAt),
        }),
      );
      return ok({ answer: { items } });
    },
    async 'queues.show'() {
      const { payoutStages, payoutsDue, callbacks } = await monitoring.queues();
      const payouts = payoutStages.map(({ oldestSince, ...stage }) => ({
        ...stage,
        oldestSince: instantText(oldestSince),
      }));
      const lateRails = payoutsDue.flatMap(({ rail, oldestDueAt }) =>
        oldestDueAt === null ? [] : [{ rail, oldestDueAt: instantText(oldestDueAt) }],
      );
      const oldestDueAt = instantTextOrNull(callbacks.oldestDueAt);
      return ok({ answer: { payouts, lateRails, callbacks: { ...callbacks, oldestDueAt } } });
    },
  } satisfies Partial<HandlersOf<typeof RAIL_ENDPOINTS>>;
}

async function viewRails({ rails, pauses, routes }: GatewayOperations): Promise<RailView[]> {
  const [list, { hours }, paused, health, floats] = await Promise.all([
    rails.list(),
    routes.read(),
    pauses.list(),
    rails.health(),
    rails.floats(),
  ]);
  return list.map(({ name, methods, purposes, simulated, notifies }) => {
    const pause = paused.find(({ scope, target }) => scope === 'rail' && target === name);
    return {
      name,
      methods: [...methods],
      purposes: [...purposes],
      simulated,
      notifies,
      hours: hours.find((each) => each.rail === name)?.hours.text ?? null,
      pause: pause ? { reason: pause.reason, since: instantText(pause.since) } : null,
      workers: health.filter(({ rail }) => rail === name).map(({ breaker, inFlight }) => ({ breaker, inFlight })),
      floats: floats.filter(({ rail }) => rail === name).map(viewFloat),
    };
  });
}

function viewFloat({ currency, amount, readAt, threshold }: RailFloat): FloatView {
  const text = (minor: bigint | null) => (minor === null ? null : formatAmount({ currency, minor }));
  return {
    currency,
    amount: text(amount),
    readAt: instantTextOrNull(readAt),
    threshold: text(threshold),
    isLow: isLow({ amount, threshold }),
  };
}

const NO_DIFFERENCE = notFound('No open difference matches. "gateway difference list" lists the open differences.');

function isKind(kind: string): kind is DifferenceKind {
  return (DIFFERENCE_KINDS as readonly string[]).includes(kind);
}

function kindProblem(): ManageProblem {
  return { code: 'invalid-request', field: 'kind', detail: `kind must be one of ${DIFFERENCE_KINDS.join(', ')}.` };
}

/** A pause of something that does not exist would stop nothing, without any sign of the mistake. */
async function isPausable(operations: GatewayOperations, scope: PauseScope, target: string): Promise<boolean> {
  switch (scope) {
    case 'merchant':
      return (await operations.merchants.find(target)) !== undefined;
    case 'method':
      return operations.methods.currencyOf(Number(target)) !== undefined;
    case 'purpose':
      return (PAYOUT_PURPOSES as readonly string[]).includes(target);
    default:
      return (await operations.rails.list()).some(({ name }) => name === target);
  }
}

function viewDifference({ foundAt, resolved, ...difference }: KeptDifference): DifferenceView {
  return {
    ...difference,
    foundAt: instantText(foundAt),
    resolved: resolved && { ...resolved, at: instantText(resolved.at) },
  };
}
