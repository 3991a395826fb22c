/**
 * Apple Pay and Google Pay where the browser has them, without their scripts: ApplePaySession of Safari, and the Payment
 * Request API of Chrome. The amount here is only shown; the server charges the order's.
 */

import { fillBrowserFields } from './browser-fields.js';
import { showOffline } from './connection.js';
import { each, find } from './page-elements.js';

/** Posts the token, reports the outcome to the wallet's sheet, and shows the next page. */
async function post(form, values, complete) {
  for (const [name, value] of Object.entries(values)) if (form.elements[name]) form.elements[name].value = value ?? '';
  let isTaken = false;
  let answer;
  try {
    answer = await fetch(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
    isTaken = answer.redirected && !(await answer.text()).includes('data-refused');
  } finally {
    showOffline(answer === undefined);
    await complete(isTaken);
  }
  if (answer.redirected) location.replace(answer.url);
  else form.submit();
}

async function openApple(form, { appleCountry, currency, amount, label, networks, needsEmail }) {
  const session = new ApplePaySession(3, {
    countryCode: appleCountry,
    currencyCode: currency,
    merchantCapabilities: ['supports3DS'],
    supportedNetworks: networks.apple_pay,
    total: { label, amount },
    requiredShippingContactFields: needsEmail ? ['email'] : [],
  });
  session.onvalidatemerchant = async () => {
    const url = new URL(form.action);
    url.pathname += '/apple-pay';
    const csrf = form.elements.csrf.value;
    try {
      const answer = await fetch(url, { method: 'POST', body: new URLSearchParams({ csrf }) });
      session.completeMerchantValidation(await answer.json());
    } catch {
      session.abort();
    }
  };
  session.onpaymentauthorized = ({ payment }) =>
    post(
      form,
      {
        wallet: 'apple_pay',
        wallet_token: JSON.stringify(payment.token.paymentData),
        email: payment.shippingContact?.emailAddress,
      },
      (isTaken) => session.completePayment(isTaken ? ApplePaySession.STATUS_SUCCESS : ApplePaySession.STATUS_FAILURE),
    );
  session.begin();
}

function googleRequest({ googlePay, currency, amount, label, networks, needsEmail }) {
  const { environment, merchantId, gateway, gatewayMerchantId } = googlePay;
  const card = {
    type: 'CARD',
    parameters: { allowedAuthMethods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'], allowedCardNetworks: networks.google_pay },
    tokenizationSpecification: { type: 'PAYMENT_GATEWAY', parameters: { gateway, gatewayMerchantId } },
  };
  const data = {
    environment,
    apiVersion: 2,
    apiVersionMinor: 0,
    merchantInfo: { merchantId, merchantName: label },
    allowedPaymentMethods: [card],
  };
  const total = { label, amount: { currency, value: amount } };
  return new PaymentRequest(
    [{ supportedMethods: 'https://google.com/pay', data }],
    { total },
    { requestPayerEmail: needsEmail },
  );
}

async function openGoogle(form, offer) {
  const response = await googleRequest(offer).show();
  const { token } = response.details.paymentMethodData.tokenizationData;
  await post(form, { wallet: 'google_pay', wallet_token: token, email: response.payerEmail }, (isTaken) =>
    response.complete(isTaken ? 'success' : 'fail'),
  );
}

function hasApple({ appleCountry, networks }) {
  return appleCountry !== null && networks.apple_pay.length > 0 && window.ApplePaySession?.canMakePayments() === true;
}

async function hasGoogle(offer) {
  const isOffered = offer.googlePay !== null && offer.networks.google_pay.length > 0 && window.PaymentRequest;
  return isOffered ? googleRequest(offer).canMakePayment() : false;
}

const WALLETS = { apple_pay: [hasApple, openApple], google_pay: [hasGoogle, openGoogle] };

function offerWallets(section) {
  const offer = JSON.parse(section.dataset.wallets);
  const form = find('form', section);
  fillBrowserFields(form.elements);
  for (const [wallet, [isThere, open]] of Object.entries(WALLETS)) {
    const button = find(`[data-wallet="${wallet}"]`, section);
    button.addEventListener('click', () => {
      // The payer closed the sheet, or the wallet has a fault: the card's fields are still there.
      open(form, offer).catch(() => {});
    });
    const show = (has) => {
      if (has) button.hidden = section.hidden = false;
    };
    Promise.resolve()
      .then(() => isThere(offer))
      .then(show, () => {});
  }
}

each('[data-wallets]', offerWallets);
