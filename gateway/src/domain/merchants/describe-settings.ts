/** A description of every setting, for the docs and the portal. */
import {
  isMerchantsSetting,
  MERCHANT_SETTINGS,
  type MerchantSettings,
  PER_CURRENCY_SETTINGS,
  PER_METHOD_SETTINGS,
} from './merchant-settings.ts';

/** `merchant`: the setting exists once. `method`: per method and currency. `currency`: per currency. */
export type SettingScope = 'merchant' | 'method' | 'currency';

export interface SettingDescription {
  readonly name: string;
  readonly scope: SettingScope;
  /** The default as text. Empty for an empty list, null without a default. */
  readonly default: string | null;
  readonly accepts: string;
  /** All accepted values, or null if they cannot be listed. */
  readonly choices: readonly string[] | null;
  readonly meaning: string;
  /** If false, only the operator may change the setting. */
  readonly isMerchants: boolean;
}

export interface EffectiveSetting extends SettingDescription {
  /** The merchant's value as text. Null if the default applies. */
  readonly value: string | null;
}

interface Described {
  readonly accepts: string;
  readonly choices?: readonly string[];
  readonly meaning: string;
  readonly default?: unknown;
}

export const SETTING_DESCRIPTIONS: readonly SettingDescription[] = [
  ...describe('merchant', MERCHANT_SETTINGS),
  ...describe('method', PER_METHOD_SETTINGS),
  ...describe('currency', PER_CURRENCY_SETTINGS),
];

/** Returns the global settings, and the merchant's settings per method or currency. */
export function describeSettings({ raw }: MerchantSettings): readonly EffectiveSetting[] {
  return SETTING_DESCRIPTIONS.flatMap((setting) => {
    if (setting.scope === 'merchant') return [{ ...setting, value: raw[setting.name] ?? null }];
    const names = Object.keys(raw).filter((name) => name.startsWith(`${setting.name}.`));
    return names.sort().map((name) => ({ ...setting, name, value: raw[name] ?? null }));
  });
}

function describe(scope: SettingScope, settings: Readonly<Record<string, Described>>): SettingDescription[] {
  return Object.entries(settings).map(([name, { accepts, choices = null, meaning, default: fallback }]) => ({
    name,
    scope,
    accepts,
    choices,
    meaning,
    isMerchants: isMerchantsSetting(name),
    default: Array.isArray(fallback) ? fallback.join(', ') : (fallback ?? null) === null ? null : String(fallback),
  }));
}
