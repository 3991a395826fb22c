/**
 * The fifteen payout methods as data (decision 12). Only this table defines the fields that a method accepts, requires,
 * signs and keeps secret. No code may branch on a method's number.
 */
import type { Currency } from '../../foundation/currency.ts';
import { type SignedSet, signedSet } from '../signatures/merchant-signature.ts';
import type { FormatName } from './formats.ts';

export interface MethodField {
  readonly name: string;
  readonly format: FormatName;
  readonly mandatory: boolean;
  /** True if the field is stored only in the vault, never in clear text. */
  readonly secret: boolean;
  /** The maximum number of characters, not of bytes. */
  readonly maxLength: number;
}

/** `card` accounts are secret and shown masked. All others are shown in full. */
type AccountKind = 'card' | 'phone' | 'bank_account' | 'iban' | 'account_or_email';

export interface PayoutMethod {
  readonly number: number;
  readonly name: string;
  readonly currency: Currency;
  readonly accountKind: AccountKind;
  /** The method's fields in the order of the checks. `account`, `amount` and `currency` come first. */
  readonly fields: readonly MethodField[];
  readonly signed: SignedSet;
}

type Rule = Partial<Pick<MethodField, 'mandatory' | 'secret' | 'maxLength'>>;

function field(name: string, format: FormatName, rule: Rule = {}): MethodField {
  return { name, format, mandatory: true, secret: false, maxLength: 255, ...rule };
}

const AMOUNT_AND_CURRENCY = [field('amount', 'amount'), field('currency', 'currency')] as const;

/** Names on card methods may be long. Bank methods allow 30 characters (decision 13). */
const CARD_NAME_LENGTH = 100;
const BANK_NAME_LENGTH = 30;

const NAME = field('full_name', 'personName', { maxLength: CARD_NAME_LENGTH });
const OPTIONAL_NAME = field('full_name', 'personName', { maxLength: CARD_NAME_LENGTH, mandatory: false });
const EXPIRY = field('exp_date', 'expiry', { secret: true });

const SIX_SIGNED = ['merchant', 'method', 'payout_id', 'account', 'amount', 'currency'] as const;
const CARD_SIGNED = signedSet(SIX_SIGNED);

/** The signed set of an unknown method. Only an authentic request learns that the method is unknown. */
export const DEFAULT_SIGNED = CARD_SIGNED;

function card(
  number: number,
  name: string,
  currency: Currency,
  extra: readonly MethodField[],
  format: FormatName = 'card',
): PayoutMethod {
  const account = field('account', format, { secret: true });
  const fields = [account, ...AMOUNT_AND_CURRENCY, ...extra];
  return { number, name, currency, accountKind: 'card', fields, signed: CARD_SIGNED };
}

const CUSTOMS_93 = [
  field('customs_birthday', 'birthday'),
  field('customs_phone', 'phone'),
  field('customs_email', 'email'),
  field('customs_address', 'address'),
  field('customs_city', 'address', { maxLength: 100 }),
  field('customs_state', 'address', { maxLength: 100 }),
  field('customs_post_code', 'postCode', { maxLength: 12 }),
  field('customs_user_id', 'id'),
  field('customs_country', 'country'),
] as const;

export const PAYOUT_METHODS: readonly PayoutMethod[] = [
  card(1, 'Card UAH', 'UAH', [OPTIONAL_NAME]),
  card(8, 'Card USD', 'USD', [EXPIRY, NAME]),
  card(9, 'Card EUR', 'EUR', [OPTIONAL_NAME]),
  card(11, 'Card AZN', 'AZN', [OPTIONAL_NAME]),
  card(12, 'Card KZT', 'KZT', [NAME]),
  card(16, 'Card UAH (alternative)', 'UAH', [OPTIONAL_NAME]),
  card(17, 'Card AZN (with expiry date)', 'AZN', [EXPIRY, OPTIONAL_NAME]),
  card(22, 'Card EUR (Visa)', 'EUR', [NAME], 'visaCard'),
  card(23, 'Card EUR (Mastercard)', 'EUR', [NAME], 'mastercard'),
  {
    number: 24,
    name: 'Mobile KZT',
    currency: 'KZT',
    accountKind: 'phone',
    fields: [field('account', 'kazakhMobile'), ...AMOUNT_AND_CURRENCY, NAME],
    signed: CARD_SIGNED,
  },
  {
    number: 26,
    name: 'Instant account payout, INR',
    currency: 'INR',
    accountKind: 'bank_account',
    fields: [
      field('account', 'bankAccount'),
      ...AMOUNT_AND_CURRENCY,
      field('full_name', 'personName', { mandatory: false, maxLength: BANK_NAME_LENGTH }),
      field('customs_phone', 'indianPhone'),
      field('customs_email', 'email'),
      field('customs_ifsc', 'ifsc'),
      field('customs_ip', 'ip'),
    ],
    signed: signedSet([...SIX_SIGNED, 'customs_phone', 'customs_email', 'customs_ifsc', 'customs_ip'], {
      withColon: new Set(['customs_ip']),
    }),
  },
  {
    number: 34,
    name: 'IBAN payout, UAH',
    currency: 'UAH',
    accountKind: 'iban',
    fields: [
      field('account', 'ukrainianIban'),
      ...AMOUNT_AND_CURRENCY,
      field('full_name', 'latinName', { maxLength: BANK_NAME_LENGTH }),
      field('customs_card', 'card', { secret: true }),
      field('customs_inn', 'inn'),
    ],
    signed: signedSet([...SIX_SIGNED, 'full_name', 'customs_card', 'customs_inn'], { isClosed: true }),
  },
  card(70, 'Card sandbox', 'TST', [OPTIONAL_NAME], 'sandboxCard'),
  {
    number: 92,
    name: 'E-transfer payout, CAD',
    currency: 'CAD',
    accountKind: 'account_or_email',
    fields: [
      field('account', 'accountOrEmail'),
      ...AMOUNT_AND_CURRENCY,
      field('full_name', 'personName', { maxLength: BANK_NAME_LENGTH }),
      field('customs_phone', 'phonePlusOptional'),
      field('customs_email', 'email'),
    ],
    signed: signedSet([...SIX_SIGNED, 'full_name', 'customs_phone', 'customs_email']),
  },
  card(93, 'Card EUR (alternative)', 'EUR', [NAME, ...CUSTOMS_93]),
];

const BY_NUMBER: ReadonlyMap<number, PayoutMethod> = new Map(PAYOUT_METHODS.map((method) => [method.number, method]));

export function payoutMethod(number: number): PayoutMethod | undefined {
  return BY_NUMBER.get(number);
}
