/** The merchants' callback servers. A server may be down or slow, or it may process a callback and then lose its response. */
import type { Callback, DeliveryReport } from '../../src/domain/callbacks/callback.ts';
import type { CallbackTransport } from '../../src/domain/callbacks/callback-transport.ts';
import { HOUR_MS, type Instant, SECOND_MS } from '../../src/foundation/clock.ts';
import type { Life } from '../world/life.ts';
import type { Network } from '../world/network.ts';
import type { World } from '../world/world.ts';

export interface CallbackOffice {
  transportOf(life: Life): CallbackTransport;
  /** By callback id. */
  readonly read: ReadonlyMap<string, string>;
  /** The callbacks whose acknowledgement reached the gateway, by callback id. */
  readonly acknowledged: ReadonlySet<string>;
  /** Makes the merchant's server refuse connections until that time. */
  closeUntil(merchantId: string, time: Instant): void;
  /** True if the merchant's server was down for longer than the retry schedule of callbacks. */
  wasLongClosed(merchantId: string): boolean;
}

interface CallbackOfficeParts {
  readonly world: World;
  readonly network: Network;
  readonly receive: (callback: Callback) => void;
  readonly violated: (what: string) => void;
}

const TIMEOUT_MS = 10 * SECOND_MS;
/** A schedule shorter than the real retries, because the last of those are random. */
const SCHEDULE_MS = 48 * HOUR_MS;

export function createCallbackOffice({ world, network, receive, violated }: CallbackOfficeParts): CallbackOffice {
  const read = new Map<string, string>();
  const acknowledged = new Set<string>();
  const closed = new Map<string, Instant>();
  const longClosed = new Set<string>();

  function take(callback: Callback): void {
    const { callbackId, payload } = callback;
    const text = JSON.stringify(payload);
    const before = read.get(callbackId);
    if (before !== undefined && before !== text) violated(`callback ${callbackId} changed from ${before} to ${text}`);
    read.set(callbackId, text);
    if (before === undefined) receive(callback);
  }

  function deliver(callback: Callback, signal: AbortSignal): Promise<DeliveryReport> {
    return new Promise((resolve) => {
      const startedAt = world.now();
      const report = (outcome: DeliveryReport['outcome'], httpStatus: number | null) => {
        stopWaiting();
        resolve({ outcome, httpStatus, latencyMs: world.now() - startedAt, reply: '', retryAfterMs: null });
      };
      const stopWaiting = world.after(TIMEOUT_MS, () => report('timed_out', null));
      signal.addEventListener('abort', () => report('timed_out', null), { once: true });
      const fate = network.fate();
      const isClosed = (closed.get(callback.merchantId) ?? 0) > world.now();
      if (fate === 'refused' || isClosed) {
        world.after(network.delayMs(), () => report('unreachable', null));
        return;
      }
      if (fate === 'lost') return;
      world.after(Math.min(network.delayMs(), TIMEOUT_MS - 1), () => {
        if (world.restoredAt > startedAt) return;
        take(callback);
        if (fate === 'unanswered') return;
        if (fate === 'broken') return report('refused_status', 500);
        acknowledged.add(callback.callbackId);
        report('accepted', 200);
      });
    });
  }

  return {
    read,
    acknowledged,
    closeUntil(merchantId, time) {
      closed.set(merchantId, time);
      if (time - world.now() >= SCHEDULE_MS) longClosed.add(merchantId);
    },
    wasLongClosed: (merchantId) => longClosed.has(merchantId),
    transportOf: (life) => ({
      deliver: (callback, _recipient, signal) => life.whileAlive(deliver(callback, signal)),
      close: async () => {},
    }),
  };
}
