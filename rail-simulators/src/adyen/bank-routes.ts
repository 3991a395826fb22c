/** The bank endpoints for the payer's browser: the device fingerprint, the challenge and Adyen's redirect. */
import type { Answer, ProviderRequest, Route } from '../kernel/http-server.ts';
import type { Book } from './book.ts';
import { challengePage, errorPage, returnPage } from './pages.ts';
import type { Adyen } from './processing.ts';
import {
  type Authentication,
  acsTransIdOf,
  MOST_WRONG_CODES,
  RIGHT_CODE,
  readChallengeRequest,
  readMethodRequest,
  writeChallengeResponse,
  writeMethodNotification,
} from './three-d-secure.ts';

export interface BankParts {
  readonly adyen: Adyen;
  readonly book: Book;
}

export function bankRoutes(parts: BankParts): readonly Route[] {
  return [
    { verb: 'POST', path: '/three-d-secure/method', answer: (request) => lookAtBrowser(parts, request) },
    { verb: 'POST', path: '/three-d-secure/challenge', answer: (request) => challenge(parts, request) },
    { verb: 'POST', path: '/three-d-secure/challenge/answer', answer: (request) => answerChallenge(parts, request) },
    { verb: 'GET', path: '/three-d-secure/redirect/', answer: (request) => redirected(parts, request) },
  ];
}

const formOf = ({ body }: ProviderRequest) => new URLSearchParams(body.toString());

function lookAtBrowser({ adyen }: BankParts, request: ProviderRequest): Answer {
  const asked = readMethodRequest(formOf(request));
  const authentication = asked && adyen.authentications.find('serverTransId', asked.serverTransId);
  if (!asked || !authentication) return errorPage('The bank does not know this threeDSMethodData.');
  return returnPage(asked.notificationUrl, 'threeDSMethodData', writeMethodNotification(asked.serverTransId));
}

function challenge(parts: BankParts, request: ProviderRequest): Answer {
  const form = formOf(request);
  const authentication = parts.adyen.authentications.find('acsTransId', acsTransIdOf(form));
  const isSound = authentication?.stage === 'challenge' && readChallengeRequest(form, authentication);
  return isSound ? askOrReturn(parts, authentication) : errorPage('The bank does not know this creq.');
}

function redirected(parts: BankParts, { rest }: ProviderRequest): Answer {
  const authentication = parts.adyen.authentications.find('redirectId', rest);
  return authentication?.stage === 'redirect'
    ? askOrReturn(parts, authentication)
    : errorPage('Adyen does not know this redirect.');
}

function answerChallenge(parts: BankParts, request: ProviderRequest): Answer {
  const form = formOf(request);
  const authentication = parts.adyen.authentications.find('acsTransId', form.get('acsTransID') ?? '');
  if (!authentication) return errorPage('The bank does not know this challenge.');
  if (authentication.transStatus === null) judge(authentication, form);
  return askOrReturn(parts, authentication);
}

function judge(authentication: Authentication, form: URLSearchParams): void {
  if (form.get('action') === 'cancel') authentication.transStatus = 'N';
  else if (form.get('code') === RIGHT_CODE) authentication.transStatus = 'Y';
  else authentication.wrongCodes += 1;
  if (authentication.wrongCodes >= MOST_WRONG_CODES) authentication.transStatus = 'N';
}

function askOrReturn({ book }: BankParts, authentication: Authentication): Answer {
  const { acsTransId, pspReference, transStatus, wrongCodes, stage } = authentication;
  if (transStatus === null) {
    const payment = book.latest(pspReference);
    const amount = `${payment?.currency} ${((payment?.value ?? 0) / 100).toFixed(2)}`;
    return challengePage({ acsTransId, amount, lastFour: payment?.lastFour ?? '', wrongCodes });
  }
  if (stage !== 'redirect')
    return returnPage(authentication.notificationUrl, 'cres', writeChallengeResponse(authentication));
  const url = new URL(authentication.returnUrl);
  url.searchParams.set('redirectResult', authentication.redirectId);
  return { status: 303, body: '', contentType: 'text/html; charset=utf-8', location: url.href };
}
