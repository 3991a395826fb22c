/** A process under a supervisor: reports that it serves, responds to the supervisor, and waits for the order to stop. */

import type { Serving } from '../compose/start-serving.ts';
import type { SupervisorLink } from './cluster-process.ts';

interface ObedientParts {
  readonly link: SupervisorLink;
  readonly serving: Pick<Serving, 'url' | 'readiness'>;
  readonly metrics: { text(): Promise<string> };
  /** Resolves when a stop comes from elsewhere than the supervisor. */
  readonly stopSignal: Promise<void>;
}

/** Resolves when the process must stop. `replaced`: another process serves in its place. */
export function obeySupervisor(parts: ObedientParts): Promise<{ readonly replaced: boolean }> {
  const { link, serving, metrics } = parts;
  const answers = { metrics: () => metrics.text(), readiness: () => serving.readiness() };
  return new Promise((resolve) => {
    link.onOrder((order) => {
      if (order.kind === 'stop') return resolve({ replaced: order.replaced });
      // A failed response is not sent; the supervisor continues after its timeout.
      answers[order.about]().then(
        (text) => link.report({ kind: 'answer', question: order.question, text }),
        () => {},
      );
    });
    link.onLost(() => resolve({ replaced: false }));
    void parts.stopSignal.then(() => resolve({ replaced: false }));
    link.report({ kind: 'serving', url: serving.url });
  });
}
