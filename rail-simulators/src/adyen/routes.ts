/** Adyen's endpoints and the actions of the control surface, as tables, with the response of each. */
import { invalid as invalidField, ok } from '../kernel/book-page.ts';
import { controlPost } from '../kernel/control-surface.ts';
import { asFields, type Fields, textOf } from '../kernel/fields.ts';
import type { ProviderRequest, Reply, Route } from '../kernel/http-server.ts';
import type { BookEntry } from './book.ts';
import type { Faults } from './faults.ts';
import type { IdempotentRequests } from './idempotency.ts';
import type { Adyen, AdyenWorks } from './processing.ts';
import { type Account, checkAmount, checkPayment, checkRequest, invalid } from './requests.ts';
import { type Authentication, fromBase64 } from './three-d-secure.ts';
import { errorReply, paymentReply } from './views.ts';
import { applePaySession } from './wallets.ts';

interface ServedParts extends Pick<AdyenWorks, 'book' | 'faults'> {
  readonly adyen: Adyen;
  readonly account: Account;
  readonly requests: IdempotentRequests;
  readonly now: () => number;
  /** Returns the URL of the bank pages, known once the server listens. */
  readonly pages: () => string;
}

type Work = (parts: ServedParts, fields: Fields, request: ProviderRequest) => Promise<Reply>;

export function checkoutRoutes(parts: ServedParts): readonly Route[] {
  const api = (path: string, work: Work): Route => ({
    verb: 'POST',
    path: `/v72${path}`,
    answer: (request) => withFaults(parts, request, work),
  });
  return [
    api('/payments', pay),
    api('/applePay/sessions', openApplePay),
    api('/payments/details', submitDetails),
    api('/payments/*/refunds', refund),
  ];
}

export function controlRoutes(parts: ServedParts): readonly Route[] {
  const { adyen } = parts;
  const change = (name: string, act: (payment: BookEntry, value: number) => Promise<unknown>): Route =>
    controlPost(name, (fields) => changePayment(parts, fields, act));
  return [
    controlPost('remember', (fields) => remember(parts, fields)),
    change('charge-back', (payment, value) => adyen.chargeBack(payment, value)),
    change('reverse-chargeback', (payment) => adyen.reverseChargeback(payment)),
    change('fail-capture', (payment) => adyen.failCapture(payment)),
    change('cancel', (payment) => adyen.cancel(payment)),
    change('refund', (payment, value) =>
      adyen.refund(payment, { currency: payment.currency, value }, payment.reference),
    ),
  ];
}

/** Applies the API faults to a request: whether it is processed, and whether it gets a response. */
async function withFaults(parts: ServedParts, request: ProviderRequest, work: Work): Promise<Reply> {
  const { faults, account, requests } = parts;
  if (consume(faults, 'lost')) return 'never';
  const isUnanswered = consume(faults, 'unanswered');
  const isFailing = !isUnanswered && consume(faults, 'answer_500_after');
  const checked = checkRequest(request.headers, request.body, account);
  const key = request.headers['idempotency-key'];
  const reply =
    'error' in checked
      ? errorReply(checked.error)
      : await requests.once(typeof key === 'string' ? key : '', () => work(parts, checked.value, request));
  if (isUnanswered) return 'never';
  if (isFailing) return errorReply({ status: 500, errorCode: '000', message: 'Unknown', errorType: 'internal' });
  return reply;
}

function consume(faults: Faults, name: 'lost' | 'unanswered' | 'answer_500_after'): boolean {
  if (faults[name] === 0) return false;
  faults[name] -= 1;
  return true;
}

const pay: Work = async ({ adyen, now, pages }, fields) => {
  const checked = checkPayment(fields, now());
  return 'error' in checked ? errorReply(checked.error) : paymentReply(await adyen.pay(checked.value), pages());
};

const openApplePay: Work = async (_parts, fields) => {
  const body = applePaySession(fields);
  return body ? { status: 201, body } : errorReply(invalid('702', 'A field of the session is not provided.'));
};

const submitDetails: Work = async ({ adyen, pages }, fields) => {
  const details = asFields(fields['details']);
  const authentication = findAuthentication(adyen, fields, details);
  if (authentication === undefined) return errorReply(invalid('14_003', 'Invalid paymentData'));
  if (!fitsStage(authentication, details))
    return errorReply(invalid('704', 'request already processed or in progress'));
  return paymentReply(await adyen.goOn(authentication), pages());
};

function findAuthentication({ authentications }: Adyen, fields: Fields, details: Fields): Authentication | undefined {
  const token = textOf(fromBase64(textOf(details, 'threeDSResult')), 'authorisationToken');
  return (
    authentications.find('redirectId', textOf(details, 'redirectResult')) ??
    authentications.find('authorisationToken', token) ??
    authentications.find('paymentData', textOf(fields, 'paymentData'))
  );
}

/** True if the details match the payment's current step. Their claims about the payer are not trusted. */
function fitsStage({ stage }: Authentication, details: Fields): boolean {
  const challenge = textOf(details, 'threeDSResult') || textOf(details, 'threeds2.challengeResult');
  switch (stage) {
    case 'fingerprint':
      return /^[YNU]$/.test(textOf(fromBase64(textOf(details, 'threeds2.fingerprint')), 'threeDSCompInd'));
    case 'challenge':
      return /^[YNAUCDRI]$/.test(textOf(fromBase64(challenge), 'transStatus'));
    case 'redirect':
      return textOf(details, 'redirectResult') !== '';
    case 'done':
      return false;
  }
}

const refund: Work = async ({ adyen, book, account }, fields, { segments }) => {
  const paymentPspReference = segments[0] ?? '';
  const payment = book.latest(paymentPspReference);
  const amount = asFields(fields['amount']);
  if (payment === undefined) return errorReply(invalid('167', 'Original pspReference required for this operation'));
  const error = checkAmount(amount);
  if (error) return errorReply(error);
  const asked = { currency: textOf(amount, 'currency'), value: Number(amount['value']) };
  if (asked.currency !== payment.currency) return errorReply(invalid('138', 'Unsupported currency specified'));
  const reference = textOf(fields, 'reference') || payment.reference;
  const pspReference = await adyen.refund(payment, asked, reference);
  const { merchantAccount } = account;
  return {
    status: 201,
    body: { merchantAccount, paymentPspReference, pspReference, reference, status: 'received', amount: asked },
  };
};

async function remember({ adyen, book }: ServedParts, fields: Fields): Promise<Reply> {
  const [pspReference, reference] = [textOf(fields, 'pspReference'), textOf(fields, 'reference')];
  const { value, currency } = fields;
  if (pspReference === '' || book.latest(pspReference) !== undefined) return invalidField('pspReference');
  if (reference === '') return invalidField('reference');
  if (checkAmount({ value, currency })) return invalidField('value');
  await adyen.remember({ pspReference, reference, currency: String(currency), value: Number(value) });
  return ok({});
}

/** `reference` is the client's. If `value` is undefined, the change covers the full amount. */
async function changePayment(
  { book }: ServedParts,
  fields: Fields,
  act: (payment: BookEntry, value: number) => Promise<unknown>,
): Promise<Reply> {
  const payment = book.underReference(textOf(fields, 'reference')).at(-1);
  if (payment?.state !== 'authorised') return invalidField('reference');
  const value = fields['value'] ?? payment.value;
  if (!Number.isSafeInteger(value) || Number(value) <= 0) return invalidField('value');
  await act(payment, Number(value));
  return ok({});
}
