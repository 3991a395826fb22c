/**
 * POST /merchant/api/payout_send: creates a payout of any method (interface, Endpoints 2). It checks the formats in the
 * order of the method's table, then the currency. It seals a card number in whichever field it occurs.
 */
import type { AcceptPayout, PayoutDraft, PayoutSubmission } from '../../domain/payouts/accept-payout.ts';
import type { PayoutRefusal } from '../../domain/payouts/payout-refusal.ts';
import { holdsCardNumber } from '../../domain/vault/card-number.ts';
import { maskCard } from '../../domain/vault/vault.ts';
import type { Clock, Instant } from '../../foundation/clock.ts';
import { invariant } from '../../foundation/invariant.ts';
import { parseAmount } from '../../foundation/money.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { Secret } from '../../foundation/secret.ts';
import { isMerchantsId } from '../formats/field-formats.ts';
import type { JsonObject } from '../http/json-body.ts';
import type { AuthenticRequest } from './authenticate-request.ts';
import { coverPayout, methodNumber } from './covered-fields.ts';
import { FORMATS, type FormatContext } from './formats.ts';
import { type MethodField, type PayoutMethod, payoutMethod } from './method-table.ts';
import { normaliseContent } from './normalise-content.ts';
import type { PayoutEndpoint } from './payout-endpoint.ts';
import { payoutReply } from './payout-reply.ts';

export function createPayoutSend(acceptPayout: AcceptPayout, clock: Clock): PayoutEndpoint {
  return {
    name: 'payout_send',
    path: '/merchant/api/payout_send',
    rateSetting: 'payout_rate_limit',
    cover: coverPayout,
    async answer(request) {
      const submission = readSubmission(request, clock.now());
      if (!submission.ok) return submission;
      const accepted = await acceptPayout(submission.value);
      return accepted.ok ? ok({ kind: 'signed', fields: payoutReply(accepted.value) }) : accepted;
    },
  };
}

/** Fails if the request names no valid payout id or method. The draft carries every other fault. */
function readSubmission({ merchant, body }: AuthenticRequest, now: Instant): Result<PayoutSubmission, PayoutRefusal> {
  const payoutId = body.get('payout_id');
  const number = methodNumber(body.get('method'));
  if (typeof payoutId !== 'string' || !isMerchantsId(payoutId)) return invalid('payout_id');
  if (number === undefined) return invalid('method');

  const method = payoutMethod(number);
  const context = { now, checkInn: merchant.settings.check_inn === 'on' };
  const draft = method ? readDraft(body, method, context) : fail({ kind: 'method_unavailable' } as const);
  return ok({ merchant, payoutId, content: normaliseContent(body, number, method), draft });
}

/** Fields with their own place in the draft. All others describe the beneficiary. */
const OWN_PLACE: ReadonlySet<string> = new Set(['account', 'amount', 'currency']);

function readDraft(body: JsonObject, method: PayoutMethod, context: FormatContext): Result<PayoutDraft, PayoutRefusal> {
  const fields: Record<string, string> = {};
  const secretFields: Record<string, Secret> = {};
  for (const field of method.fields) {
    const read = readField(body, field, context);
    if (!read.ok) return read;
    if (read.value === undefined) continue;
    if (field.secret || holdsCardNumber(read.value)) secretFields[field.name] = new Secret(read.value);
    else if (!OWN_PLACE.has(field.name)) fields[field.name] = read.value;
  }
  if (body.get('currency') !== method.currency) return fail({ kind: 'currency_not_supported' });
  return ok({ method: method.number, ...readOwnPlace(body, method), fields, secretFields });
}

/** Undefined means an omitted optional field (absent, null or empty). */
function readField(
  body: JsonObject,
  { name, format, mandatory, maxLength }: MethodField,
  context: FormatContext,
): Result<string | undefined, PayoutRefusal> {
  const value = body.get(name) ?? '';
  if (typeof value !== 'string') return invalid(name);
  if (value === '') return mandatory ? invalid(name) : ok(undefined);
  if (value.length > maxLength && [...value].length > maxLength) return invalid(name);
  return FORMATS[format](value, context) ? ok(value) : invalid(name);
}

/** Expects a body whose fields passed their formats. */
function readOwnPlace(
  body: JsonObject,
  method: PayoutMethod,
): Pick<PayoutDraft, 'money' | 'amountText' | 'accountShown'> {
  const [account, amountText] = [body.get('account'), body.get('amount')];
  const money = typeof amountText === 'string' ? parseAmount(amountText, method.currency) : undefined;
  invariant(
    money && typeof amountText === 'string' && typeof account === 'string',
    'a field passed its format and can not be read',
  );
  const isCard = method.accountKind === 'card' || holdsCardNumber(account);
  const accountShown = isCard ? maskCard(new Secret(account)) : account;
  return { money, amountText, accountShown };
}

function invalid(field: string): Result<never, PayoutRefusal> {
  return fail({ kind: 'invalid_field', field });
}
