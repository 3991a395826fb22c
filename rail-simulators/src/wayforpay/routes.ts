/** WayForPay's endpoints for clients, with the response of each. */
import { ok } from '../kernel/book-page.ts';
import { isSame } from '../kernel/credentials.ts';
import { type Fields, jsonNumber, parseKeepingNumbers } from '../kernel/fields.ts';
import type { Reply, Route } from '../kernel/http-server.ts';
import type { BookEntry, PayoutType } from './book.ts';
import { type ConductName, conductOf, isConduct } from './conducts.ts';
import type { Faults } from './faults.ts';
import { faultsOf } from './magic-amounts.ts';
import type { Account, WayForPay } from './processing.ts';
import { type Refusal, readInstruction } from './requests.ts';
import { REQUEST_SIGNED, signatureOf } from './signature.ts';
import { requestView, rowView, signedView, toText } from './views.ts';

interface ServedParts {
  readonly wayforpay: WayForPay;
  readonly account: Account;
  readonly faults: Faults;
}

export function apiRoutes(parts: ServedParts): readonly Route[] {
  return [
    { verb: 'POST', path: '/api', answer: ({ body }) => answer(parts, parseKeepingNumbers(body)) },
    {
      verb: 'POST',
      path: '/mms/merchantBalance.php',
      answer: ({ body }) => balance(parts, parseKeepingNumbers(body)),
    },
  ];
}

type Work = (parts: ServedParts, fields: Fields) => Reply | Promise<Reply>;

const WORKS: Readonly<Record<Exclude<keyof typeof REQUEST_SIGNED, 'balance'>, Work>> = {
  P2P_CREDIT: (parts, fields) => payOut(parts, 'P2P_CREDIT', fields),
  P2P_ACCOUNT: (parts, fields) => payOut(parts, 'P2P_ACCOUNT', fields),
  CHECK_STATUS: checkStatus,
  TRANSACTION_LIST: list,
};

const isTransaction = (type: unknown): type is keyof typeof WORKS => Object.hasOwn(WORKS, String(type));

function answer(parts: ServedParts, fields: Fields | undefined): Reply | Promise<Reply> {
  if (fields === undefined) return refused(1109);
  const type = fields['transactionType'];
  if (!isTransaction(type)) return refused(type === undefined ? 1115 : 1117);
  const stranger = strangerCode(parts, fields, REQUEST_SIGNED[type]);
  return stranger === undefined ? WORKS[type](parts, fields) : refused(stranger);
}

/** Returns the error code if the client is not authenticated, otherwise undefined. */
function strangerCode({ account }: ServedParts, fields: Fields, signed: readonly string[]): number | undefined {
  if (fields['merchantAccount'] !== account.merchantAccount) return 1121;
  const expected = signatureOf(fields, signed, account.secretKey);
  return isSame(fields['merchantSignature'], expected) ? undefined : 1113;
}

async function payOut(parts: ServedParts, type: PayoutType, fields: Fields): Promise<Reply> {
  const { faults } = parts;
  const instruction = readInstruction(type, fields);
  if (isRefusal(instruction)) return refused(instruction.reasonCode);
  const play = faultsOf(faults, String(instruction.kopecks)).payouts;
  if (!isConduct(play)) return unacceptedReply(play, faults);
  const accepted = await parts.wayforpay.accept(instruction, play);
  return isRefusal(accepted) ? refused(accepted.reasonCode) : acceptedReply(parts, accepted, play);
}

/** A repeated request always gets a response, even if the first request did not. */
function acceptedReply({ account, faults }: ServedParts, accepted: BookEntry, conduct: ConductName): Reply {
  switch (accepted.kind === 'repeated' ? 'status' : conductOf(conduct).reply) {
    case 'never':
      return 'never';
    case 'error_500':
      return { status: 500, body: { error: 'internal' } };
    case 'script_error':
      return refused(1129);
    default:
      return ok(signedView(accepted, account, faults.signing === 'general' ? 'general' : accepted.type));
  }
}

function unacceptedReply(mode: string, { reason_code }: Faults): Reply {
  if (mode === 'lose') return 'never';
  return refused({ answer_error: 1129, no_float: 1136 }[mode] ?? reason_code);
}

function checkStatus({ wayforpay, faults, account }: ServedParts, fields: Fields): Reply {
  const found = wayforpay.find(String(fields['orderReference']));
  if (faults.status === 'answer_error') return refused(1129);
  if (found === undefined || faults.status === 'not_yet') return refused(1127);
  return ok(signedView(found, account, 'general'));
}

function list({ wayforpay }: ServedParts, fields: Fields): Reply {
  const [begin, end] = [Number(fields['dateBegin']), Number(fields['dateEnd'])];
  if (!Number.isInteger(begin) || !Number.isInteger(end) || begin > end) return refused(1109);
  return ok({ ...requestView(1100), transactionList: wayforpay.list(begin, end).map(rowView) });
}

/** Here the code is a string. */
function balance(parts: ServedParts, fields: Fields | undefined): Reply {
  const stranger = strangerCode(parts, fields ?? {}, REQUEST_SIGNED.balance);
  if (stranger !== undefined) return ok({ ...requestView(stranger), reasonCode: String(stranger) });
  const { merchantAccount } = parts.account;
  const amount = jsonNumber(toText(parts.wayforpay.balance()));
  return ok({ reason: 'Ok', reasonCode: '1100', merchantAccount, balance_UAH: amount });
}

function isRefusal(outcome: object): outcome is Refusal {
  return !('reference' in outcome);
}

const refused = (reasonCode: number): Reply => ok(requestView(reasonCode));
