/**
 * Finds the work on payments that traces show: requests, commits, calls of rails, callbacks. It wraps the process's
 * connections and events, so a process without traces runs none of this code.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock, Instant } from '../../../foundation/clock.ts';
import type { Rails } from '../../../rails/registry.ts';
import type { Outside } from '../../outside.ts';
import type { Hooks } from '../hooks.ts';
import type { PaymentSpan, Traces } from './open-traces.ts';
import {
  depositOfReference,
  type PaymentKey,
  type PaymentTrace,
  paymentOfCallback,
  payoutOfOrder,
  traceOf,
} from './payment-trace.ts';

type Record = Traces['record'];

/** A request in flight, and the payments that it changed. */
interface TracedRequest {
  readonly from: Instant;
  readonly caller: PaymentTrace | undefined;
  readonly payments: Map<string, { readonly payment: PaymentKey; readonly isFirst: boolean }>;
  isAnswered: boolean;
}

interface PaymentWatch {
  readonly hooks: Partial<Hooks>;
  /** Returns the same connections to other programs, each one watched. */
  around(outside: Outside): Outside;
}

export function watchPayments(record: Record, clock: Clock): PaymentWatch {
  const current = new AsyncLocalStorage<TracedRequest>();

  /** Without a request (in a batch or a worker) the acceptance has no duration. */
  function changed(payment: PaymentKey, isFirst: boolean): void {
    const request = current.getStore();
    if (request && !request.isAnswered) {
      const { traceId } = traceOf(payment);
      request.payments.set(traceId, { payment, isFirst: isFirst || request.payments.get(traceId)?.isFirst === true });
      return;
    }
    const now = clock.now();
    if (isFirst) record({ payment, name: 'accepted', kind: 'internal', from: now, to: now, isFirst, attributes: {} });
  }

  return {
    hooks: {
      onPayoutAccepted: (payout) => changed(payout, true),
      onDepositOpened: (deposit) => changed(deposit, true),
      onSettled: (key) => changed(key, false),
      onDepositEnded: (key) => changed(key, false),
      onAttemptChanged: (key) => changed(key, false),
      onLater: (about) => changed(about, false),
      onTransferReceived(_transfer, _outcome, deposit) {
        if (deposit) changed(deposit, false);
      },
      onCommitted(batch, size, elapsedMs, payments) {
        const to = clock.now();
        const span = { name: `commit ${batch}`, kind: 'internal', from: to - elapsedMs, to } as const;
        for (const payment of payments()) record({ ...span, payment, attributes: { 'gateway.batch.size': size } });
      },
    },
    around: (outside) => ({
      ...outside,
      createRails: (...parts) => watchRails(outside.createRails(...parts), record, clock),
      createCallbackTransport: (parts) => watchCallbacks(outside.createCallbackTransport(parts), record, clock),
      listen(app, host, port) {
        watchRequests(app, current, record, clock);
        return outside.listen(app, host, port);
      },
    }),
  };
}

function watchRequests(
  app: FastifyInstance,
  current: AsyncLocalStorage<TracedRequest>,
  record: Record,
  clock: Clock,
): void {
  const requests = new WeakMap<FastifyRequest, TracedRequest>();
  app.addHook('onRequest', (request, _reply, done) => {
    const caller = callerOf(request.headers['traceparent']);
    requests.set(request, { from: clock.now(), caller, payments: new Map(), isAnswered: false });
    done();
  });
  // After the body, whose arrival runs outside the request's own callbacks.
  app.addHook('preHandler', (request, _reply, done) => {
    const traced = requests.get(request);
    if (traced) current.run(traced, done);
    else done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const traced = requests.get(request);
    if (traced) {
      traced.isAnswered = true;
      const route = request.routeOptions.url ?? 'none';
      const span: Omit<PaymentSpan, 'payment'> = {
        name: `${request.method} ${route}`,
        kind: 'server',
        from: traced.from,
        to: clock.now(),
        caller: traced.caller,
        isFault: reply.statusCode >= 500,
        attributes: {
          'http.request.method': request.method,
          'http.route': route,
          'http.response.status_code': reply.statusCode,
        },
      };
      for (const { payment, isFirst } of traced.payments.values()) record({ ...span, payment, isFirst });
    }
    done();
  });
}

const TRACE_PARENT = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}$/;

/** Any client can send this header (W3C Trace Context), so its span becomes a link and never the parent. */
function callerOf(header: string | string[] | undefined): PaymentTrace | undefined {
  const [, traceId, spanId] = TRACE_PARENT.exec(String(header ?? '')) ?? [];
  return traceId === undefined || spanId === undefined ? undefined : { traceId, spanId };
}

function watchRails(rails: Rails, record: Record, clock: Clock): Rails {
  const watched =
    <Order, Rest extends readonly unknown[], Answer extends { readonly kind: string }>(
      rail: string,
      call: string,
      paymentOf: (order: Order) => PaymentKey | undefined,
      perform: (order: Order, ...rest: Rest) => Promise<Answer>,
    ) =>
    async (order: Order, ...rest: Rest): Promise<Answer> => {
      const from = clock.now();
      const answer = await perform(order, ...rest);
      const payment = paymentOf(order);
      if (payment)
        record({
          payment,
          name: `${rail} ${call}`,
          kind: 'client',
          from,
          to: clock.now(),
          isFault: answer.kind === 'unknown',
          attributes: { 'gateway.rail': rail, 'gateway.call': call, 'gateway.answer': answer.kind },
        });
      return answer;
    };
  const deposit = ({ reference }: { readonly reference: string }) => depositOfReference(reference);
  const refund = ({ payment }: { readonly payment: { readonly reference: string } }) => deposit(payment);
  return {
    ...rails,
    payoutRails: rails.payoutRails.map((rail) => ({
      ...rail,
      send: watched(rail.name, 'send', payoutOfOrder, rail.send.bind(rail)),
      ask: watched(rail.name, 'ask', payoutOfOrder, rail.ask.bind(rail)),
      ...(rail.repeat ? { repeat: watched(rail.name, 'repeat', payoutOfOrder, rail.repeat.bind(rail)) } : {}),
    })),
    paymentRails: rails.paymentRails.map((rail) => ({
      ...rail,
      start: watched(rail.name, 'start', deposit, rail.start.bind(rail)),
      handleReturn: watched(rail.name, 'return', deposit, rail.handleReturn.bind(rail)),
      ask: watched(rail.name, 'ask', deposit, rail.ask.bind(rail)),
      ...(rail.cancel ? { cancel: watched(rail.name, 'cancel', deposit, rail.cancel.bind(rail)) } : {}),
      ...(rail.refund ? { refund: watched(rail.name, 'refund', refund, rail.refund.bind(rail)) } : {}),
      ...(rail.askRefund ? { askRefund: watched(rail.name, 'ask refund', refund, rail.askRefund.bind(rail)) } : {}),
      ...(rail.repeatRefund
        ? { repeatRefund: watched(rail.name, 'repeat refund', refund, rail.repeatRefund.bind(rail)) }
        : {}),
    })),
  };
}

type CallbackTransport = ReturnType<Outside['createCallbackTransport']>;

function watchCallbacks(transport: CallbackTransport, record: Record, clock: Clock): CallbackTransport {
  return {
    async deliver(callback, recipient, signal) {
      const from = clock.now();
      const report = await transport.deliver(callback, recipient, signal);
      const payment = paymentOfCallback(callback);
      if (payment)
        record({
          payment,
          name: `callback ${callback.subject}`,
          kind: 'client',
          from,
          to: clock.now(),
          isFault: report.outcome !== 'accepted',
          attributes: {
            'gateway.callback.id': callback.callbackId,
            'gateway.callback.attempt': callback.attempts + 1,
            'gateway.callback.outcome': report.outcome,
            ...(report.httpStatus === null ? {} : { 'http.response.status_code': report.httpStatus }),
          },
        });
      return report;
    },
    close: () => transport.close(),
  };
}
