/** A process under a supervisor: says that it serves, answers what it is asked, and waits to be told to stop. */

import type { Serving } from '../compose/start-serving.ts';
import type { SupervisorLink } from './cluster-process.ts';

export interface ObedientParts {
  readonly link: SupervisorLink;
  readonly serving: Pick<Serving, 'url' | 'readiness'>;
  readonly metrics: { text(): Promise<string> };
  /** Resolves when somebody else than the supervisor tells the process to stop. */
  readonly toldToStop: Promise<void>;
}

/** Resolves once it is to stop. `replaced`: another process serves in its place. */
export function obeySupervisor(parts: ObedientParts): Promise<{ readonly replaced: boolean }> {
  const { link, serving, metrics } = parts;
  const answers = { metrics: () => metrics.text(), readiness: () => serving.readiness() };
  return new Promise((resolve) => {
    link.onOrder((order) => {
      if (order.kind === 'stop') return resolve({ replaced: order.replaced });
      // What can't be answered is not; whoever asked goes on without.
      answers[order.about]().then(
        (text) => link.report({ kind: 'answer', question: order.question, text }),
        () => {},
      );
    });
    link.onLost(() => resolve({ replaced: false }));
    void parts.toldToStop.then(() => resolve({ replaced: false }));
    link.report({ kind: 'serving', url: serving.url });
  });
}
