/**
 * Chooses the payment type (decision 46). The request's type comes first, then the merchant's default for the currency.
 * Otherwise the payer chooses among the possible types. It is a pure function of the request, the merchant and the rails.
 */

import { withinLimits } from '../../../domain/deposits/open-deposit.ts';
import type { Merchant } from '../../../domain/merchants/merchant.ts';
import { acceptsCurrency, FORM_PAYMENT_TYPES, type FormPaymentType } from '../../../domain/methods/payment-type.ts';
import { choosePaymentRail } from '../../../domain/payments/choose-payment-rail.ts';
import type { PaymentRail } from '../../../domain/payments/payment-rail.ts';
import type { Money } from '../../../foundation/money.ts';
import { fail, ok, type Result } from '../../../foundation/result.ts';
import { type FormField, type FormRejection, fieldsToAskFor } from './form-fields.ts';

/** The part of a rail that the choice depends on. */
export type FormRail = Pick<PaymentRail, 'paymentType' | 'currencies' | 'simulated' | 'needs'>;

interface PaymentTypeQuestion {
  readonly merchant: Merchant;
  readonly money: Money;
  /** The parameters by API name, with checked formats. */
  readonly parameters: Readonly<Record<string, string>>;
}

export interface PaymentTypeChoice {
  /** Null if the payer chooses. */
  readonly paymentType: FormPaymentType | null;
  /** The types that the payer may choose, first or after a refused payment. A single one if the request fixes it. */
  readonly possibleTypes: readonly FormPaymentType[];
}

export function choosePaymentType(
  question: PaymentTypeQuestion,
  rails: readonly FormRail[],
): Result<PaymentTypeChoice, FormRejection> {
  const [wish, ...others] = wishesOf(question.parameters);
  if (wish === undefined) return chooseAmongAll(question, rails);
  const other = others.find(({ paymentType }) => paymentType !== wish.paymentType);
  if (other !== undefined) return fail({ kind: 'conflict', field: other.field, with: wish.field });
  const { paymentType, field } = wish;
  if (!acceptsCurrency(paymentType, question.money.currency))
    return fail({ kind: 'conflict', field, with: 'currency' });
  const obstacle = obstacleTo(paymentType, field, question, rails);
  return obstacle === undefined ? ok({ paymentType, possibleTypes: [paymentType] }) : fail(obstacle);
}

interface Wish {
  readonly field: FormField;
  readonly paymentType: FormPaymentType;
}

/** Fields that only one payment type uses. */
const IMPLIED = { bank_id: 'open_banking', cpf: 'instant_bank' } as const;

/** Ordered by strength, strongest first. */
function wishesOf(parameters: PaymentTypeQuestion['parameters']): Wish[] {
  const stated = FORM_PAYMENT_TYPES.filter((type) => type === parameters['payment_type']);
  const implied = (['bank_id', 'cpf'] as const).filter((field) => (parameters[field] ?? '') !== '');
  return [
    ...stated.map((paymentType) => ({ field: 'payment_type', paymentType }) as const),
    ...implied.map((field) => ({ field, paymentType: IMPLIED[field] })),
  ];
}

function chooseAmongAll(
  question: PaymentTypeQuestion,
  rails: readonly FormRail[],
): Result<PaymentTypeChoice, FormRejection> {
  const { merchant, money } = question;
  const types = FORM_PAYMENT_TYPES.filter((type) => acceptsCurrency(type, money.currency));
  const tried = types.map((type) => ({ type, obstacle: obstacleTo(type, 'currency', question, rails) }));
  const possibleTypes = tried.filter(({ obstacle }) => obstacle === undefined).map(({ type }) => type);
  const [only, ...more] = possibleTypes;
  if (only === undefined) return fail(nearestObstacle(tried.map(({ obstacle }) => obstacle)));
  const preferred = merchant.settings.perCurrency('default_payment_type', money.currency);
  const chosen = possibleTypes.find((type) => type === preferred) ?? null;
  return ok({ paymentType: more.length === 0 ? only : chosen, possibleTypes });
}

interface TypeRule {
  readonly country: string;
  readonly mandatory: FormField;
}

/** The API's rules for single payment types. */
const TYPE_RULES: Partial<Record<FormPaymentType, TypeRule>> = { instant_bank: { country: 'BR', mandatory: 'cpf' } };

/** Returns why the payer cannot use this payment type, or undefined. `field` is the field that selected it. */
function obstacleTo(
  paymentType: FormPaymentType,
  field: FormField,
  { merchant, money, parameters }: PaymentTypeQuestion,
  rails: readonly FormRail[],
): FormRejection | undefined {
  const rail = choosePaymentRail(rails, merchant, paymentType, money.currency);
  if (rail === undefined) return { kind: 'unavailable', field };
  const rule = TYPE_RULES[paymentType];
  if (rule !== undefined && parameters['country']?.toUpperCase() !== rule.country)
    return { kind: 'conflict', field: 'country', with: field };
  const isStrict = merchant.settings.strict_form_fields === 'on';
  const wanted = [...(rule ? [rule.mandatory] : []), ...(isStrict ? fieldsToAskFor(parameters, rail.needs) : [])];
  const missing = wanted.find((name) => (parameters[name] ?? '') === '');
  if (missing !== undefined) return { kind: 'missing', field: missing };
  return withinLimits({ merchant, paymentType, money }) ? undefined : { kind: 'out_of_limits', field: 'amount' };
}

/** From faults that the merchant cannot correct in a request to those that are easiest to correct. */
const NEARNESS: readonly FormRejection['kind'][] = ['unavailable', 'conflict', 'missing', 'out_of_limits'];

/** Returns the most useful obstacle if no type is possible. If no type accepts the currency, the currency is not supported. */
function nearestObstacle(obstacles: readonly (FormRejection | undefined)[]): FormRejection {
  const nearness = ({ kind }: FormRejection) => NEARNESS.indexOf(kind);
  return obstacles
    .filter((obstacle) => obstacle !== undefined)
    .reduce<FormRejection>((nearest, each) => (nearness(each) > nearness(nearest) ? each : nearest), {
      kind: 'not_supported',
      field: 'currency',
    });
}
