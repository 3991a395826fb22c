/**
 * Every per-merchant setting, as one table: its name, how its text is read, its default, what it means. The CLI, the
 * docs and the code all read this table; a setting that is not here does not exist.
 */
import { isIP } from 'node:net';
import { type Currency, isCurrency } from '../../foundation/currency.ts';
import { parseAmount, parsePercent } from '../../foundation/money.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';

interface Setting<Value> {
  readonly default: Value;
  /** Undefined when the text is not a value of this setting. */
  readonly read: (text: string) => Value | undefined;
  /** What may be written, for error messages and the docs. */
  readonly accepts: string;
  readonly meaning: string;
}

function oneOf<const Values extends readonly string[]>(
  values: Values,
  fallback: Values[number],
  meaning: string,
): Setting<Values[number]> {
  return {
    default: fallback,
    read: (text) => values.find((value) => value === text),
    accepts: values.join(', '),
    meaning,
  };
}

function wholeNumber<Fallback extends number | null>(
  lowest: number,
  highest: number,
  fallback: Fallback,
  meaning: string,
): Setting<number | Fallback> {
  return {
    default: fallback,
    read: (text) => {
      const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
      return value >= lowest && value <= highest ? value : undefined;
    },
    accepts: `a whole number from ${lowest} to ${highest}`,
    meaning,
  };
}

function listOf(isItem: (text: string) => boolean, accepts: string, meaning: string): Setting<readonly string[]> {
  return {
    default: [],
    read: (text) => {
      const items = text.split(',').map((part) => part.trim());
      if (text.trim() === '') return [];
      return items.every(isItem) ? items : undefined;
    },
    accepts: `${accepts}, separated by commas; empty for none`,
    meaning,
  };
}

/** `192.0.2.1`, `192.0.2.0/24`, `2001:db8::/32`. */
function isAddressOrNetwork(text: string): boolean {
  const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return Number(prefix ?? 0) <= bits;
}

export const MERCHANT_SETTINGS = {
  payout_rate_limit: wholeNumber(
    0,
    100_000,
    null,
    'payouts a second; 0 = no limit; unset = 50, in development no limit',
  ),
  status_rate_limit: wholeNumber(
    0,
    100_000,
    null,
    'status, balance and list requests a second; 0 = no limit; unset = 20, in development no limit',
  ),
  payout_x_sign: oneOf(
    ['optional', 'required'],
    'optional',
    'whether payout requests must carry X-Sign over the raw body',
  ),
  strict_http_codes: oneOf(['off', 'on'], 'off', 'answer failures with 401, 409 or 422 instead of 200'),
  check_inn: oneOf(['off', 'on'], 'off', 'check the check digit of a ten-digit customs_inn'),
  callback_ack: oneOf(['ok_body', 'any_2xx'], 'ok_body', 'what counts as an accepted callback'),
  callback_format: oneOf(['form', 'json'], 'form', 'how a callback body is written'),
  callback_method: oneOf(['post', 'get'], 'post', 'how a deposit callback is sent'),
  payout_callback: oneOf(['on', 'off'], 'on', 'whether payouts send callbacks'),
  key_overlap_hours: wholeNumber(0, 168, 24, 'how long the old key stays valid after a rotation'),
  reply_wait_ms: wholeNumber(
    0,
    10_000,
    null,
    'how long a payout request waits for a final state; unset = 0, for method 70 2000',
  ),
  sandbox_mode: oneOf(['immediate', 'delayed'], 'immediate', 'whether the sandbox answers at once or is pending first'),
  disabled_methods: listOf(
    (text) => /^\d{1,3}$/.test(text),
    'payout method numbers',
    'payout methods that are turned off',
  ),
  host2host_rate_limit: wholeNumber(
    0,
    100_000,
    null,
    'host-to-host deposits a second; 0 = no limit; unset = 50, in development no limit',
  ),
  strict_names: oneOf(['off', 'on'], 'off', 'whether payer names may hold the letters A to Z alone'),
  mismatch_policy: oneOf(
    ['hold', 'credit'],
    'hold',
    'what happens to money that is too little, too much, late or paid twice: held for the operator, or credited',
  ),
  disabled_payment_types: listOf(
    (text) => /^[a-z_]{2,32}$/.test(text),
    'payment types',
    'payment types of deposits that are turned off',
  ),
  ip_allow_list: listOf(
    isAddressOrNetwork,
    'addresses and networks (CIDR)',
    'where payout requests may come from; empty = anywhere',
  ),
} as const satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof MERCHANT_SETTINGS;
type SettingValues = {
  readonly [Name in SettingName]: (typeof MERCHANT_SETTINGS)[Name] extends Setting<infer Value> ? Value : never;
};

/** Settings that exist once per method and currency, such as `fee_percent.9.EUR`. Amounts in minor units, percents in millionths. */
export const PER_METHOD_SETTINGS = {
  min_amount: { read: readMinor, accepts: 'an amount', meaning: 'the smallest payout or deposit' },
  max_amount: { read: readMinor, accepts: 'an amount', meaning: 'the largest payout or deposit' },
  fee_fixed: { read: readMinorOrZero, accepts: 'an amount or 0', meaning: 'fixed fee per payout or deposit' },
  fee_percent: {
    read: parsePercent,
    accepts: 'a percentage with at most 4 decimals',
    meaning: 'fee in percent of the amount',
  },
} as const;

export type PerMethodSettingName = keyof typeof PER_METHOD_SETTINGS;

export interface MerchantSettings extends SettingValues {
  /** The value of a per-method setting, or undefined where none is set. */
  perMethod(name: PerMethodSettingName, method: number | string, currency: Currency): bigint | undefined;
  /** What was set, as text: what the CLI shows and the database keeps. */
  readonly raw: Readonly<Record<string, string>>;
}

function readMinor(text: string, currency: Currency): bigint | undefined {
  return parseAmount(text, currency)?.minor;
}

function readMinorOrZero(text: string, currency: Currency): bigint | undefined {
  return /^0(\.0{1,2})?$/.test(text) ? 0n : readMinor(text, currency);
}

/** A payout method's number, or a payment type's name. */
const PER_METHOD = /^([a-z_]+)\.(\d{1,3}|[a-z_]{2,32})\.([A-Z]{3})$/;

/** The parts of such a name as `fee_percent.9.EUR`, or undefined where there is no such setting. */
function parsePerMethodName(
  name: string,
): { setting: PerMethodSettingName; method: string; currency: Currency } | undefined {
  const [, setting = '', method = '', currency = ''] = PER_METHOD.exec(name) ?? [];
  if (!Object.hasOwn(PER_METHOD_SETTINGS, setting) || !isCurrency(currency)) return undefined;
  return { setting: setting as PerMethodSettingName, method, currency };
}

/** The payout methods (by number) and payment types (by name) that there are, each with its currencies. */
export type MethodCurrencies = ReadonlyMap<string, readonly Currency[]>;

/**
 * Undefined, or one sentence about a setting that can be read and would do nothing: a fee for a method that does not
 * exist, or not in that currency, is a fee that nobody pays.
 */
export function idleSetting(raw: Readonly<Record<string, string>>, methods: MethodCurrencies): string | undefined {
  const faults = Object.entries(raw).map(([name, text]) => {
    if (name === 'disabled_methods' || name === 'disabled_payment_types')
      return text.split(',').map((method) => methodFault(name, method.trim(), methods));
    const parsed = parsePerMethodName(name);
    return parsed && methodFault(name, parsed.method, methods, parsed.currency);
  });
  return faults.flat().find((fault) => fault !== undefined);
}

function methodFault(name: string, text: string, methods: MethodCurrencies, currency?: Currency): string | undefined {
  if (text === '') return undefined;
  const known = methods.get(text);
  if (known === undefined) return `Setting "${name}": there is no method ${text}`;
  return currency === undefined || known.includes(currency)
    ? undefined
    : `Setting "${name}": the currency of method ${text} is ${known.join(' or ')}`;
}

export function isSettingName(name: string): boolean {
  return Object.hasOwn(MERCHANT_SETTINGS, name) || parsePerMethodName(name) !== undefined;
}

function readPerMethod(name: string, text: string): { value: bigint | undefined; accepts: string } | undefined {
  const parsed = parsePerMethodName(name);
  if (!parsed) return undefined;
  const { read, accepts } = PER_METHOD_SETTINGS[parsed.setting];
  return { value: read(text, parsed.currency), accepts };
}

/** Reads all settings of a merchant; the failure is one sentence that names the setting and what it accepts. */
export function readMerchantSettings(raw: Readonly<Record<string, string>>): Result<MerchantSettings, string> {
  const values: Record<string, unknown> = {};
  const perMethod = new Map<string, bigint>();
  for (const [name, { default: fallback }] of Object.entries(MERCHANT_SETTINGS)) values[name] = fallback;
  for (const [name, text] of Object.entries(raw)) {
    const setting = Object.hasOwn(MERCHANT_SETTINGS, name) ? MERCHANT_SETTINGS[name as SettingName] : undefined;
    const read = setting ? { value: setting.read(text), accepts: setting.accepts } : readPerMethod(name, text);
    if (!read) return fail(`There is no setting "${name}"`);
    if (read.value === undefined) return fail(`Setting "${name}" accepts ${read.accepts}, not "${text}"`);
    if (setting) values[name] = read.value;
    else perMethod.set(name, read.value as bigint);
  }
  return ok({
    ...(values as unknown as SettingValues),
    perMethod: (name, method, currency) => perMethod.get(`${name}.${method}.${currency}`),
    raw,
  });
}
