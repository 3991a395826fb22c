/** Which rail carries a payout. */
import type { Merchant } from '../merchants/merchant.ts';
import type { PayoutRail } from '../payouts/payout-rail.ts';

/** The name of the rail for a merchant's payout by `method`, or undefined: turned off, or no rail is configured for it. */
export type RailChoice = (merchant: Merchant, method: number) => string | undefined;

/** A merchant in test reaches simulated rails only, so that trying things out can't move real money. */
export function createRailChoice(rails: readonly PayoutRail[]): RailChoice {
  const byMethod = new Map<number, PayoutRail>();
  for (const rail of rails) {
    for (const method of rail.methods) if (!byMethod.has(method)) byMethod.set(method, rail);
  }
  return (merchant, method) => {
    const rail = byMethod.get(method);
    if (!rail || merchant.settings.disabled_methods.includes(String(method))) return undefined;
    return merchant.state === 'test' && !rail.simulated ? undefined : rail.name;
  };
}
