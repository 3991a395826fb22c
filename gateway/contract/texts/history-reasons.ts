/** The reasons in the history of a payout, by code: English texts with the values of the reason. The pages translate them. */
const TEXTS = {
  // Why a payout took its rail.
  only_route: (rail: string) => `${rail}: the only route`,
  only_rail: (rail: string) => `${rail}: the only rail for the method`,
  first_rail: (rail: string) => `${rail}: the first of the configured rails`,
  cheapest: (rail: string) => `${rail}: the cheapest of its rank`,
  first_rank: (rail: string) => `${rail}: the first rank`,
  drawn: (rail: string, weight: string, total: string) => `${rail}: drawn by weight, ${weight} of ${total}`,
  no_rail: () => 'no rail',
  paused: (rail: string) => `${rail} would come first but is paused`,
  closed: (rail: string) => `${rail} would come first but is closed`,
  others: (...rails: readonly string[]) => `then ${rails.join(', ')}`,
  not_configured: (rail: string) => `not ${rail}: not configured for it`,
  real_money: (rail: string) => `not ${rail}: real money, and the merchant is in test`,
  amount_from: (rail: string, amount: string) => `not ${rail}: accepts amounts from ${amount}`,
  amount_up_to: (rail: string, amount: string) => `not ${rail}: accepts amounts up to ${amount}`,
  needs: (rail: string, field: string) => `not ${rail}: needs ${field}`,
  cards_only: (rail: string, scheme: string) => `not ${rail}: pays ${scheme} cards only`,
  rail_of_payment: () => 'the rail of the payment',
  rail_of_transfer: () => 'the rail of the transfer',
  // Why it left its rail.
  rerouted: (from: string, to: string, note: string) => `from ${from} to ${to}: ${note}`,
  moved: (from: string, to: string) => `from ${from} to ${to}: no bank has it`,
  // Why it waits for an approval.
  above: (amount: string) => `above ${amount}`,
  policy: () => 'a policy requires a second person',
};

type HistoryReasonCode = keyof typeof TEXTS;

export const HISTORY_REASONS: Readonly<Record<HistoryReasonCode, (...values: readonly string[]) => string>> = TEXTS;
