/** A command takes its parts first (the ports and settings that it may touch), and then its order. */

/** The command as its callers get it: its parts are given already. */
export type WithParts<Command extends (parts: never, ...order: never[]) => unknown> = Command extends (
  parts: never,
  ...order: infer Order
) => infer Outcome
  ? (...order: Order) => Outcome
  : never;

export function withParts<Parts, Order extends unknown[], Outcome>(
  command: (parts: Parts, ...order: Order) => Outcome,
  parts: NoInfer<Parts>,
): (...order: Order) => Outcome {
  return (...order) => command(parts, ...order);
}
