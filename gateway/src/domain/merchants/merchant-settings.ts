/**
 * All settings of a merchant as one table: name, parser, default and meaning. The CLI, the docs and the code read this table;
 * no other settings exist.
 */
import { type Currency, isCurrency } from '../../foundation/currency.ts';
import { parseAmount, parsePercent } from '../../foundation/money.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import {
  listOf,
  networks,
  oneOf,
  readMinorOrZero,
  type TextReader,
  wholeNumber,
} from '../../foundation/text/text-readers.ts';

import { CARD_BRANDS, type CardBrand } from '../methods/card-brand.ts';
import { acceptsCurrency, FORM_PAYMENT_TYPES } from '../methods/payment-type.ts';
import { BRANDING_SETTINGS } from './merchant-branding.ts';
import { type Setting, setting } from './setting.ts';

/** A list that defaults to empty. */
function list(items: TextReader<readonly string[]>, meaning: string): Setting<readonly string[]> {
  return {
    read: (text) => (text.trim() === '' ? [] : items.read(text)),
    accepts: `${items.accepts}; empty for none`,
    default: [],
    meaning,
  };
}

function readMatching(pattern: RegExp): (text: string) => string | undefined {
  return (text) => (pattern.test(text) ? text : undefined);
}

/**
 * An origin as browsers send it. The gateway copies it into a header in which semicolons and quotes have a meaning, so the
 * host may contain no other characters.
 */
const ORIGIN = /^(?:https:\/\/[a-z0-9.-]+|http:\/\/(?:localhost|127\.0\.0\.1))(?::\d{1,5})?$/;

function readOrigin(text: string): string | undefined {
  return ORIGIN.test(text) && URL.parse(text)?.origin === text ? text : undefined;
}

const SHOWN_BRANDS: readonly CardBrand[] = ['visa', 'mastercard'];

const SWITCH = oneOf(['off', 'on']);
const LIMIT = wholeNumber(0, 100_000);

export const MERCHANT_SETTINGS = {
  payout_rate_limit: setting(LIMIT, null, 'payouts per second; 0 = no limit; defaults to 50 (no limit in development)'),
  status_rate_limit: setting(
    LIMIT,
    null,
    'status, balance and list requests per second; 0 = no limit; defaults to 20 (no limit in development)',
  ),
  payout_x_sign: setting(
    oneOf(['optional', 'required']),
    'optional',
    'whether payout requests must carry X-Sign over the raw body',
  ),
  strict_http_codes: setting(SWITCH, 'off', 'return 401, 409 or 422 for failures instead of 200'),
  check_inn: setting(SWITCH, 'off', 'check the check digit of a ten-digit customs_inn'),
  callback_ack: setting(oneOf(['ok_body', 'any_2xx']), 'ok_body', 'the response that acknowledges a callback'),
  callback_format: setting(oneOf(['form', 'json']), 'form', 'the format of callback bodies'),
  callback_method: setting(oneOf(['post', 'get']), 'post', 'the HTTP method of deposit callbacks'),
  payout_callback: setting(oneOf(['on', 'off']), 'on', 'whether payouts send callbacks'),
  key_overlap_hours: setting(wholeNumber(0, 168), 24, 'the hours in which the old key stays valid after a rotation'),
  reply_wait_ms: setting(
    wholeNumber(0, 10_000),
    null,
    'the milliseconds that a payout request waits for a final state; defaults to 0, or 2000 for method 70',
  ),
  conformance_days: setting(
    wholeNumber(0, 365),
    0,
    'the maximum number of days between a passed run of gateway conform and the first activation; 0 = no run is required',
  ),
  approval_hours: setting(
    wholeNumber(1, 720),
    72,
    'the hours in which a user may approve a payout that waits for approval; the gateway blocks it afterwards',
  ),
  sandbox_mode: setting(
    oneOf(['immediate', 'delayed']),
    'immediate',
    'whether sandbox payouts complete immediately or are pending first',
  ),
  disabled_methods: list(
    listOf(readMatching(/^\d{1,3}$/), 'payout method numbers'),
    'payout methods that the gateway rejects',
  ),
  host2host_rate_limit: setting(
    LIMIT,
    null,
    'host-to-host deposits per second; 0 = no limit; defaults to 50 (no limit in development)',
  ),
  strict_names: setting(SWITCH, 'off', 'whether payer names must consist of the letters A to Z'),
  mismatch_policy: setting(
    oneOf(['hold', 'credit']),
    'hold',
    'the treatment of shortfalls, overpayments, late payments and duplicate payments: held for the operator, or credited',
  ),
  other_payer_policy: setting(
    oneOf(['hold', 'credit']),
    'hold',
    'how to treat a payment by someone other than the order’s payer, such as a Pix from another CPF',
  ),
  disabled_payment_types: list(
    listOf(readMatching(/^[a-z_]{2,32}$/), 'payment types'),
    'payment types that the gateway rejects',
  ),
  form_sign: setting(
    oneOf(['off', 'optional', 'required']),
    'optional',
    'the signature of a form request: ignored, checked if it is sent, or required',
  ),
  strict_form_fields: setting(
    SWITCH,
    'off',
    'reject a form request without a detail that the payment type needs, instead of asking the payer for it',
  ),
  default_lang: setting(
    oneOf(['en', 'ua', 'kk', 'pt-BR', 'es', 'fr', 'de', 'pl']),
    null,
    'the form language if lang is absent or unknown; defaults to the language of the payer’s browser, then of the payer’s country, then en',
  ),
  allowed_embedding_origins: list(
    listOf(readOrigin, 'origins such as https://shop.example (plain http for localhost and 127.0.0.1 only)'),
    'the origins whose pages may embed the form in a frame; empty = none',
  ),
  form_rate_limit: setting(
    LIMIT,
    null,
    'forms and returns from banks per client address and minute; 0 = no limit; defaults to 30 (no limit in development)',
  ),
  form_attempts: setting(wholeNumber(1, 50), 5, 'the maximum number of payment attempts on one form'),
  form_other_type: setting(
    oneOf(['on', 'off']),
    'on',
    'whether a payer whose payment was declined may choose another payment type',
  ),
  card_brands: setting(
    listOf(oneOf(CARD_BRANDS).read, `card brands (${CARD_BRANDS.join(', ')})`),
    SHOWN_BRANDS,
    'the card brands that the form shows and accepts; it rejects a card of another brand before the provider sees it',
  ),
  ...BRANDING_SETTINGS,
  receipt_email: setting(
    SWITCH,
    'off',
    'whether a payer who gave an email address gets the receipt by email as well; needs a mail server at the gateway',
  ),
  card_attempt_limit: setting(
    LIMIT,
    null,
    'payment attempts per card and hour; 0 = no limit; defaults to 10 (no limit in development)',
  ),
  target_attempt_limit: setting(
    LIMIT,
    null,
    'payment attempts per email address or CPF and hour; 0 = no limit; defaults to 5 (no limit in development)',
  ),
  address_attempt_limit: setting(
    LIMIT,
    null,
    'payment attempts per client address and hour, over all payment types; 0 = no limit; defaults to 30 (no limit in development)',
  ),
  merchant_attempt_limit: setting(
    LIMIT,
    null,
    'payment attempts per hour on all your unsigned forms; signed forms are not counted; 0 = no limit; defaults to 1000 (no limit in development)',
  ),
  ip_allow_list: list(networks, 'the client addresses from which the gateway accepts payout requests; empty = any'),
} as const satisfies Record<string, Setting<unknown>>;

type SettingName = keyof typeof MERCHANT_SETTINGS;
type SettingValues = {
  readonly [Name in SettingName]: (typeof MERCHANT_SETTINGS)[Name] extends Setting<infer Value> ? Value : never;
};

/** Settings per method and currency, such as `fee_percent.9.EUR`. Amounts are in minor units, percentages in millionths. */
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

type PerMethodSettingName = keyof typeof PER_METHOD_SETTINGS;

/** Settings per currency, such as `default_payment_type.EUR`. */
export const PER_CURRENCY_SETTINGS = {
  default_payment_type: {
    read: (text: string, currency: Currency) =>
      FORM_PAYMENT_TYPES.find((type) => type === text && acceptsCurrency(type, currency)),
    accepts: `one of ${FORM_PAYMENT_TYPES.join(', ')} that accepts the currency`,
    meaning: 'the payment type for form requests without a payment_type; if unset, the payer chooses',
  },
  approval_above: {
    read: readMinorOrZero,
    accepts: 'an amount or 0',
    meaning: 'payouts above this amount wait for an approval by one of your approvers; if unset, no payout waits',
  },
} as const;

type PerCurrencySettingName = keyof typeof PER_CURRENCY_SETTINGS;

type PerCurrencyValue<Name extends PerCurrencySettingName> = NonNullable<
  ReturnType<(typeof PER_CURRENCY_SETTINGS)[Name]['read']>
>;

export interface MerchantSettings extends SettingValues {
  /** Returns the value of a per-method setting, or undefined if it is unset. */
  perMethod(name: PerMethodSettingName, method: number | string, currency: Currency): bigint | undefined;
  /** Returns the value of a per-currency setting, or undefined if it is unset. */
  perCurrency<Name extends PerCurrencySettingName>(name: Name, currency: Currency): PerCurrencyValue<Name> | undefined;
  /** The settings as text, as the CLI shows and the database stores them. */
  readonly raw: Readonly<Record<string, string>>;
}

function readMinor(text: string, currency: Currency): bigint | undefined {
  return parseAmount(text, currency)?.minor;
}

/** The settings that are the operator’s terms: fees, amount limits, capacity, and protection against card testing. */
const OPERATOR_SETTINGS: ReadonlySet<string> = new Set<PerMethodSettingName | SettingName>([
  'fee_fixed',
  'fee_percent',
  'min_amount',
  'max_amount',
  'payout_rate_limit',
  'status_rate_limit',
  'host2host_rate_limit',
  'form_rate_limit',
  'conformance_days',
  'card_attempt_limit',
  'target_attempt_limit',
  'address_attempt_limit',
  'merchant_attempt_limit',
]);

/** False for a setting that merchant users and tokens may only read. */
export function isMerchantsSetting(name: string): boolean {
  return !OPERATOR_SETTINGS.has(name.split('.')[0] ?? '');
}

/** A payout method's number, or a payment type's name. */
const PER_METHOD = /^([a-z_]+)\.(\d{1,3}|[a-z_]{2,32})\.([A-Z]{3})$/;

interface PerMethodName {
  readonly setting: PerMethodSettingName;
  readonly method: string;
  readonly currency: Currency;
}

/** Returns the parts of a name such as `fee_percent.9.EUR`, or undefined if there is no such setting. */
function parsePerMethodName(name: string): PerMethodName | undefined {
  const [, setting = '', method = '', currency = ''] = PER_METHOD.exec(name) ?? [];
  if (!Object.hasOwn(PER_METHOD_SETTINGS, setting) || !isCurrency(currency)) return undefined;
  return { setting: setting as PerMethodSettingName, method, currency };
}

/** All payout methods (by number) and payment types (by name), each with its currencies. */
export type MethodCurrencies = ReadonlyMap<string, readonly Currency[]>;

/**
 * Describes a setting that parses but is senseless: a fee for an unknown method, or limits that allow no amount. Returns
 * undefined if there is none. `changed` contains the new settings as text, `settings` all settings after the change. Do not
 * call it for stored settings, because a stored merchant must stay readable.
 */
export function settingFault(
  changed: Readonly<Record<string, string>>,
  settings: MerchantSettings,
  methods: MethodCurrencies,
): string | undefined {
  const faults = Object.entries(changed).map(([name, text]) => {
    if (name === 'disabled_methods' || name === 'disabled_payment_types')
      return text.split(',').map((method) => methodFault(name, method.trim(), methods));
    const parsed = parsePerMethodName(name);
    return parsed && (methodFault(name, parsed.method, methods, parsed.currency) ?? limitsFault(parsed, settings));
  });
  return faults.flat().find((fault) => fault !== undefined);
}

function limitsFault({ method, currency }: PerMethodName, { perMethod, raw }: MerchantSettings): string | undefined {
  const lowest = perMethod('min_amount', method, currency);
  const highest = perMethod('max_amount', method, currency);
  if (lowest === undefined || highest === undefined || lowest <= highest) return undefined;
  const [lowestName, highestName] = [`min_amount.${method}.${currency}`, `max_amount.${method}.${currency}`];
  return `Setting "${lowestName}" (${raw[lowestName]}) is above "${highestName}" (${raw[highestName]})`;
}

function methodFault(name: string, text: string, methods: MethodCurrencies, currency?: Currency): string | undefined {
  if (text === '') return undefined;
  const known = methods.get(text);
  if (known === undefined) return `Setting "${name}": unknown method ${text}`;
  return currency === undefined || known.includes(currency)
    ? undefined
    : `Setting "${name}": the currency of method ${text} is ${known.join(' or ')}`;
}

export function isSettingName(name: string): boolean {
  return readerOf(name) !== undefined;
}

const PER_CURRENCY = /^([a-z_]+)\.([A-Z]{3})$/;

function readerOf(name: string): TextReader<unknown> | undefined {
  if (Object.hasOwn(MERCHANT_SETTINGS, name)) return MERCHANT_SETTINGS[name as SettingName];
  const perMethod = parsePerMethodName(name);
  if (perMethod) return inCurrency(PER_METHOD_SETTINGS[perMethod.setting], perMethod.currency);
  const [, setting = '', currency = ''] = PER_CURRENCY.exec(name) ?? [];
  if (!Object.hasOwn(PER_CURRENCY_SETTINGS, setting) || !isCurrency(currency)) return undefined;
  return inCurrency(PER_CURRENCY_SETTINGS[setting as PerCurrencySettingName], currency);
}

interface CurrencyReader {
  readonly read: (text: string, currency: Currency) => unknown;
  readonly accepts: string;
}

function inCurrency({ read, accepts }: CurrencyReader, currency: Currency): TextReader<unknown> {
  return { read: (text) => read(text, currency), accepts };
}

/** Parses all settings of a merchant. The failure is one sentence that names the setting and the accepted values. */
export function readMerchantSettings(raw: Readonly<Record<string, string>>): Result<MerchantSettings, string> {
  const values: Record<string, unknown> = {};
  /** The settings per method or currency, by their full names. */
  const repeated = new Map<string, unknown>();
  for (const [name, { default: fallback }] of Object.entries(MERCHANT_SETTINGS)) values[name] = fallback;
  for (const [name, text] of Object.entries(raw)) {
    const reader = readerOf(name);
    if (!reader) return fail(`Unknown setting: "${name}". See docs/merchant/settings.md`);
    const value = reader.read(text);
    if (value === undefined) return fail(`Setting "${name}" accepts ${reader.accepts}, not "${text}"`);
    if (Object.hasOwn(MERCHANT_SETTINGS, name)) values[name] = value;
    else repeated.set(name, value);
  }
  return ok({
    ...(values as unknown as SettingValues),
    perMethod: (name, method, currency) => repeated.get(`${name}.${method}.${currency}`) as bigint | undefined,
    perCurrency: <Name extends PerCurrencySettingName>(name: Name, currency: Currency) =>
      repeated.get(`${name}.${currency}`) as PerCurrencyValue<Name> | undefined,
    raw,
  });
}
