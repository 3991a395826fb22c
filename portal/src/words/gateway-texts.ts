/** Texts that the gateway writes in English, in the language of the person. */
import type { Words } from './en/en.ts';

type Patterns = Readonly<Record<string, RegExp>>;
type Texts = Readonly<Record<string, (...parts: string[]) => string>>;

/** A text that fits no pattern, or has no translation, stays unchanged. */
export function translateText(text: string, patterns: Patterns, texts: Texts): string {
  for (const [kind, pattern] of Object.entries(patterns)) {
    const found = pattern.exec(text);
    if (found) return texts[kind]?.(...found.slice(1)) ?? text;
  }
  return text;
}

/** Why a payout took its rail, and why it waits for an approval: one of these, or several with semicolons. */
export const HISTORY_TEXTS = {
  onlyRoute: /^(\S+): the only route$/,
  onlyRail: /^(\S+): the only rail for the method$/,
  firstRail: /^(\S+): the first of the configured rails$/,
  cheapest: /^(\S+): the cheapest of its rank$/,
  firstPlace: /^(\S+): the first rank$/,
  drawn: /^(\S+): drawn by weight, (\d+) of (\d+)$/,
  paused: /^(\S+) would come first but is paused$/,
  closed: /^(\S+) would come first but is closed$/,
  others: /^then (.+)$/,
  notConfigured: /^not (\S+): not configured for it$/,
  realMoney: /^not (\S+): real money, and the merchant is in test$/,
  amountFrom: /^not (\S+): takes amounts from (\S+)$/,
  amountUpTo: /^not (\S+): takes amounts up to (\S+)$/,
  needsField: /^not (\S+): needs (\S+)$/,
  visaOnly: /^not (\S+): pays Visa cards only$/,
  rerouted: /^from (\S+) to (\S+): (.*)$/,
  above: /^above (\S+ [A-Z]{3})$/,
  policy: /^a policy asks for a second person$/,
} satisfies Patterns;

export function translateHistory(detail: string, { gatewayTexts }: Pick<Words, 'gatewayTexts'>): string {
  return detail
    .split('; ')
    .map((clause) => translateText(clause, HISTORY_TEXTS, gatewayTexts))
    .join('; ');
}
