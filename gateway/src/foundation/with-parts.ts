/** A command gets its parts first (the ports and settings that it may use), and then its order. */

/** The command as its callers get it, with its parts already bound. */
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
