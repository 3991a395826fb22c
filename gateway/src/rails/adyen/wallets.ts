/**
 * Apple Pay and Google Pay through Adyen. Neither needs a script of another origin: Safari has ApplePaySession built in, and
 * Chrome opens Google Pay by the W3C Payment Request API, so the page's policy keeps its own scripts only.
 *
 * Confirmed by Adyen's OpenAPI description of Checkout: `/applePay/sessions` with `displayName`, `domainName` and
 * `merchantIdentifier`, whose response contains the session as base64 in `data`; `applePayToken`, the base64 of Apple's
 * `paymentData`, at most 10,000 characters. Confirmed by Adyen's page on Google Pay for API only: `gateway` is `adyen`,
 * `gatewayMerchantId` is the merchant account, and `googlePayToken` is Google's `token`. Confirmed by Google's tutorial on
 * PaymentRequest: the method `https://google.com/pay`, `environment`, and that only Chrome supports it. Confirmed by Chrome's
 * note on `connect-src`: the policy must allow the method's URL and those to which it leads.
 *
 * Not confirmed: Adyen's response to a token that was used before. The gateway refuses it first. Not confirmed: the HTTP
 * status of a refused `/applePay/sessions`; anything but a session counts as none.
 */
import type { RailWallets, WalletPayment } from '../../domain/payments/wallet.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { ProviderHttp } from '../kit/provider-http.ts';
import { readPlainObject, textOf } from '../kit/provider-json.ts';
import type { AdyenConfiguration } from './configuration.ts';

const SESSIONS_PATH = '/applePay/sessions';

export function adyenWallets(configuration: AdyenConfiguration, http: Pick<ProviderHttp, 'exchange'>): RailWallets {
  const { applePay, googlePay, merchantAccount, url } = configuration;
  return {
    applePay:
      applePay === undefined
        ? null
        : {
            country: applePay.country,
            openSession: (shop, deadline) => openSession(configuration, http, { ...shop, ...applePay }, deadline),
          },
    googlePay:
      googlePay === undefined
        ? null
        : {
            environment: isLive(url) ? 'PRODUCTION' : 'TEST',
            merchantId: googlePay.merchantId,
            gateway: 'adyen',
            gatewayMerchantId: merchantAccount,
          },
  };
}

/** The live address has the account's own prefix. */
function isLive(url: string): boolean {
  return new URL(url).hostname.endsWith('-checkout-live.adyenpayments.com');
}

async function openSession(
  { apiKey }: AdyenConfiguration,
  http: Pick<ProviderHttp, 'exchange'>,
  { name, host, merchantId }: { readonly name: string; readonly host: string; readonly merchantId: string },
  deadline: Deadline,
): Promise<Result<string, string>> {
  const body = JSON.stringify({ displayName: name, domainName: host, merchantIdentifier: merchantId });
  const reply = await http.exchange(
    {
      verb: 'POST',
      path: SESSIONS_PATH,
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey.reveal() },
      body,
    },
    deadline,
  );
  if (reply.kind !== 'answered') return fail(reply.reason);
  const session = readSession(reply.body);
  return reply.status < 300 && session !== undefined ? ok(session) : fail(`HTTP ${reply.status}`);
}

function readSession(body: Buffer): string | undefined {
  const session = Buffer.from(textOf(readPlainObject(body) ?? {}, 'data'), 'base64').toString('utf8');
  return readPlainObject(session) && session;
}

/** Returns Adyen's `paymentMethod` for a wallet's token. */
export function walletFields({ wallet, token }: WalletPayment) {
  return wallet === 'apple_pay'
    ? { type: 'applepay', applePayToken: Buffer.from(token.reveal()).toString('base64') }
    : { type: 'googlepay', googlePayToken: token.reveal() };
}
