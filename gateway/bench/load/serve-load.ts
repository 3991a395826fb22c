/**
 * The process of the load generator. For each order from its parent, it builds the requests, reports that it is ready, starts
 * on command and sends the outcome.
 */
import { Samples } from './latency.ts';
import type { LoadOrder, Times } from './load-order.ts';
import type { LoadOutcome } from './load-process.ts';
import { runLoad } from './run-load.ts';
import { SUBJECTS } from './subjects.ts';

type Command = { readonly order: LoadOrder } | { readonly begin: true };

let begin: () => void = () => {};

process.on('message', (message: Command) => {
  if ('begin' in message) begin();
  else void carryOut(message.order);
});
process.on('disconnect', () => process.exit());

async function carryOut(order: LoadOrder): Promise<void> {
  const url = new URL(order.url);
  const { request, judge } = SUBJECTS[order.subject];
  const requestAt = (at: number) => request(url, order.firstIndex + at, order);
  const most = order.clabes?.length ?? Number.POSITIVE_INFINITY;
  const prepared = Array.from({ length: Math.min(order.prepare, most) }, (_, at) => requestAt(at));
  const due = new Samples();
  const answered = new Samples();
  const numbers = new Samples();
  const onGood = (index: number, dueAt: number, answeredAt: number) => {
    numbers.add(order.firstIndex + index);
    due.add(dueAt);
    answered.add(answeredAt);
  };
  let used = 0;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  send({ ready: true });
  await begun;
  const result = await runLoad({
    ...order,
    url,
    judge,
    next() {
      const at = used++;
      if (at >= most) return undefined;
      const made = prepared[at] ?? requestAt(at);
      delete prepared[at];
      return made;
    },
    ...(order.wantsTimes ? { onGood } : {}),
  });
  const times: Times = { index: numbers.toArray(), dueAt: due.toArray(), answeredAt: answered.toArray() };
  send({ result, used, times: order.wantsTimes ? times : null } satisfies LoadOutcome);
}

function send(message: object): void {
  process.send?.(message);
}
