/**
 * Every form page in every state that looks different, for tests and human review. Names and amounts are as long and as
 * hostile as the limits allow.
 */
import { CARD_BRANDS, type CardBrand } from '../../src/domain/methods/card-brand.ts';
import { FORM_PAYMENT_TYPES } from '../../src/domain/methods/payment-type.ts';
import type { PaymentRefusal } from '../../src/domain/payments/payment-rail.ts';
import { inEachLanguage } from '../../src/protocol/form/languages/languages.ts';
import type { PageContext } from '../../src/protocol/form/pages/page-context.ts';
import {
  type AskedDetails,
  DETAIL_FIELDS,
  type PageView,
  type ParameterProblem,
  type PaymentHead,
  type ProblemKind,
  type Receipt,
  type ShownWallets,
} from '../../src/protocol/form/pages/page-view.ts';

const NOW = Date.UTC(2026, 10, 20, 10, 0, 0);
const MINUTE_MS = 60_000;

export const BANK_ORIGIN = 'https://bank.example';
export const ACS_ORIGIN = 'https://acs.example';
export const SHOP_ORIGIN = 'https://shop.example';

const SHORT: PaymentHead = {
  merchantName: 'Nova Books',
  isTest: false,
  help: {
    support: 'help@novabooks.example',
    termsUrl: `${SHOP_ORIGIN}/terms`,
    privacyUrl: `${SHOP_ORIGIN}/privacy`,
  },
  money: { currency: 'UAH', minor: 123_450n },
  orderId: 'N-20931',
  itemName: 'Atlas of the Night Sky',
  shopUrl: `${SHOP_ORIGIN}/basket`,
  expiresAt: NOW + 24 * MINUTE_MS,
  canCancel: true,
  canChangeWay: false,
  canChangeBank: false,
};
const ENDED: PaymentHead = { ...SHORT, expiresAt: null, canCancel: false };
const LONG: PaymentHead = {
  ...SHORT,
  merchantName: 'Қазақстан-Шығыс Республикааралық Электроника және Тұрмыстық Техника Сауда Үйі',
  money: { currency: 'KZT', minor: 99_999_999_999_999n },
  orderId: 'ORDER.2026-11-20_0000000000000000000000000000000000000000000001x',
  itemName: 'Washing machine with a very long name, two years of warranty, delivery to the fourth floor, and '.repeat(
    3,
  ),
  expiresAt: NOW + 23.5 * 60 * MINUTE_MS,
  isTest: true,
  help: { support: `${SHOP_ORIGIN}/help/contact-us`, termsUrl: null, privacyUrl: null },
};
export const HOSTILE = `"><script>alert('x')</script><img src=x onerror=alert(1)>&amp;\u202E\u0000{{7*7}}`;
const HOSTILE_HEAD: PaymentHead = { ...SHORT, merchantName: HOSTILE, orderId: HOSTILE, itemName: HOSTILE };

const euros = (head: PaymentHead): PaymentHead => ({ ...head, money: { currency: 'EUR', minor: 8_999n } });
const reais = (head: PaymentHead): PaymentHead => ({ ...head, money: { currency: 'BRL', minor: 15_000n } });
const dollars = (head: PaymentHead): PaymentHead => ({ ...head, money: { currency: 'CAD', minor: 21_050n } });

const NO_DETAILS: AskedDetails = { fields: [], values: {}, errors: {} };
const TAKEN_BRANDS: readonly CardBrand[] = ['visa', 'mastercard'];
const RETURN_URL = `${SHOP_ORIGIN}/paid?order_no=N-20931&amount=1234.50`;

const BANK_NAMES = [
  'Aareal Bank',
  'ABN AMRO',
  'Banco Santander',
  'Bank Pekao',
  'Crédit Agricole Île-de-France',
  'Íslandsbanki',
];
const BANKS = [...BANK_NAMES, 'Österreichische Volksbank für die Gemeinden des Oberen Pustertals eG'].map(
  (name, index) => ({
    bankId: `bank-${index}`,
    name,
    bic: index === 2 ? '' : `BANKDE${index}XXX`,
  }),
);

const BR_CODE =
  '00020126850014br.gov.bcb.pix2563pix.example.com/qr/v2/9d36b84f10734fc58e5a1e3d3c1f9a0b52040000530398654061' +
  '50.005802BR5910NOVA BOOKS6009SAO PAULO62070503***6304A1B2';

const WALLETS_SHOWN: ShownWallets = {
  appleCountry: 'NL',
  googlePay: { environment: 'TEST', merchantId: 'BCR2DN4T', gateway: 'adyen', gatewayMerchantId: 'GatewayECOM' },
  needsEmail: true,
};

function cardPages(): Record<string, PageView> {
  const card = {
    kind: 'card',
    brands: TAKEN_BRANDS,
    holder: '',
    errors: {},
    details: NO_DETAILS,
    hasOtherTypes: false,
    asksAgain: false,
    wallets: null,
  } as const;
  return {
    card: { ...card, payment: SHORT },
    'card-errors': {
      ...card,
      payment: LONG,
      brands: CARD_BRANDS,
      holder: 'WILHELMINA VAN DER ZANDE-KOWALEWSKA',
      errors: { card_number: 'invalid', card_expiry: 'expired', card_cvv: 'required', card_holder: 'too_long' },
      details: {
        fields: ['email', 'city', 'post_code'],
        values: { email: 'jo' },
        errors: { email: 'invalid', city: 'required', post_code: 'required' },
      },
      hasOtherTypes: true,
    },
    'card-wallets': { ...card, payment: SHORT, wallets: WALLETS_SHOWN },
    'card-again': { ...card, payment: SHORT, holder: 'JOANA SILVA', asksAgain: true },
    'card-other-brand': { ...card, payment: SHORT, errors: { card_number: 'not_accepted' } },
    'card-hostile': {
      ...card,
      payment: HOSTILE_HEAD,
      holder: HOSTILE,
      details: { fields: ['email'], values: { email: HOSTILE }, errors: {} },
    },
  };
}

function detailPages(): Record<string, PageView> {
  const details = {
    kind: 'details',
    paymentType: 'e_transfer',
    hasOtherTypes: false,
    payment: dollars(SHORT),
  } as const;
  return {
    details: { ...details, details: { fields: DETAIL_FIELDS, values: { email: 'jo@example.com' }, errors: {} } },
    'details-errors': {
      ...details,
      details: {
        fields: DETAIL_FIELDS,
        values: { phone: '0671234567', cpf: '123' },
        errors: Object.fromEntries(DETAIL_FIELDS.map((name, index) => [name, index % 2 ? 'invalid' : 'required'])),
      },
    },
    'details-required': {
      ...details,
      details: {
        fields: DETAIL_FIELDS,
        values: {},
        errors: Object.fromEntries(DETAIL_FIELDS.map((name, index) => [name, index % 2 ? 'required' : 'invalid'])),
      },
    },
    'details-none': {
      ...details,
      paymentType: 'instant_bank',
      payment: reais(SHORT),
      hasOtherTypes: true,
      details: NO_DETAILS,
    },
  };
}

function bankPages(): Record<string, PageView> {
  const bank = {
    kind: 'bank',
    groups: [
      { country: 'DE', banks: BANKS.slice(0, 4) },
      { country: 'IS', banks: BANKS.slice(4) },
    ],
    search: '',
    moreBanks: 0,
    hasOtherTypes: true,
    payment: euros(SHORT),
  } as const;
  return {
    bank: bank,
    'bank-many': { ...bank, moreBanks: 1, hasOtherTypes: false },
    'bank-found': { ...bank, groups: [{ country: 'DE', banks: BANKS.slice(0, 2) }], search: 'b', moreBanks: 3 },
    'bank-none': { ...bank, groups: [], search: HOSTILE },
  };
}

function stepPages(): Record<string, PageView> {
  const post = {
    kind: 'post',
    url: `${ACS_ORIGIN}/challenge`,
    fields: { creq: 'eyJ0aHJlZSI6M30', threeDSSessionData: '' },
  } as const;
  return {
    leave: { kind: 'leave', url: `${BANK_ORIGIN}/login`, bankName: '', payment: euros(SHORT) },
    'leave-bank': {
      kind: 'leave',
      url: `${BANK_ORIGIN}/login`,
      bankName: 'Crédit Agricole Île-de-France',
      payment: { ...euros(SHORT), canChangeWay: true, canChangeBank: true },
    },
    message: {
      kind: 'bank_message',
      email: 'j•••@example.com',
      phone: '',
      since: NOW - 3 * MINUTE_MS,
      payment: dollars(SHORT),
    },
    'message-anywhere': { kind: 'bank_message', email: '', phone: '', since: NOW, payment: dollars(SHORT) },
    code: { kind: 'code', text: BR_CODE, since: NOW - 1 * MINUTE_MS, payment: reais(SHORT) },
    frame: { kind: 'frame', url: `${BANK_ORIGIN}/frame`, origins: [], payment: euros(SHORT) },
    fingerprint: {
      kind: 'fingerprint',
      post: { ...post, purpose: 'fingerprint' },
      origins: [],
      timeoutMs: 600_000,
      payment: SHORT,
    },
    challenge: { kind: 'challenge', post: { ...post, purpose: 'challenge' }, origins: [], payment: SHORT },
    'frame-return': { kind: 'frame_return', pageUrl: '/payment/form/token' },
  };
}

function waitingPages(): Record<string, PageView> {
  const waiting = { kind: 'waiting', since: NOW - 12 * MINUTE_MS, payment: ENDED } as const;
  return {
    'waiting-bank': { ...waiting, awaits: 'bank' },
    'waiting-confirmation': { ...waiting, awaits: 'confirmation', since: NOW },
    'waiting-settlement': { ...waiting, awaits: 'settlement', since: NOW - 300 * MINUTE_MS },
  };
}

const RECEIPT: Receipt = {
  transactionId: 1_000_017,
  money: SHORT.money,
  paidAt: NOW - MINUTE_MS,
  paymentType: 'card',
  card: { network: 'Mastercard', lastFour: '4242' },
  wallet: null,
};

const REFUSALS: readonly PaymentRefusal[] = [
  'declined',
  'insufficient_funds',
  'wrong_card_data',
  'expired_card',
  'authentication_failed',
  'limit',
  'suspected_fraud',
  'cancelled_by_payer',
  'expired',
  'payer_details',
];

function outcomePages(): Record<string, PageView> {
  const refused = { kind: 'refused', payment: SHORT, canRetry: true, hasOtherTypes: true, returnUrl: null } as const;
  return {
    ...Object.fromEntries(
      REFUSALS.map((refusal, index) => [`refused-${refusal}`, { ...refused, refusal, attemptsLeft: (index % 3) + 1 }]),
    ),
    'refused-for-good': {
      ...refused,
      refusal: 'suspected_fraud',
      canRetry: false,
      attemptsLeft: 0,
      returnUrl: RETURN_URL,
      payment: ENDED,
    },
    paid: { kind: 'paid', receipt: RECEIPT, returnUrl: RETURN_URL, payment: ENDED },
    'paid-long': {
      kind: 'paid',
      receipt: { ...RECEIPT, money: LONG.money, transactionId: 9_007_199_254_740_991 },
      returnUrl: null,
      payment: { ...LONG, expiresAt: null, canCancel: false },
    },
    ...Object.fromEntries(
      FORM_PAYMENT_TYPES.map((paymentType) => [
        `paid-${paymentType}`,
        { kind: 'paid', receipt: { ...RECEIPT, paymentType, card: null }, returnUrl: null, payment: ENDED },
      ]),
    ),
    cancelled: { kind: 'cancelled', canContinue: false, returnUrl: RETURN_URL, payment: ENDED },
    'cancelled-early': { kind: 'cancelled', canContinue: true, returnUrl: RETURN_URL, payment: ENDED },
    'cancel-question': { kind: 'cancel_question', payment: euros(SHORT) },
    expired: { kind: 'expired', returnUrl: RETURN_URL, payment: ENDED },
    'going-back': { kind: 'going_back', returnUrl: RETURN_URL, payment: ENDED },
  };
}

const PARAMETER_PROBLEMS: readonly ParameterProblem[] = [
  'missing',
  'invalid',
  'repeated',
  'unknown',
  'not_supported',
  'out_of_limits',
  'conflict',
  'wrong_signature',
];
const PROBLEMS: readonly ProblemKind[] = [
  'not_found',
  'out_of_date',
  'order_already_paid',
  'order_being_paid',
  'merchant_unavailable',
  'method_unavailable',
  'too_many_requests',
  'temporary_error',
];

function problemPages(): Record<string, PageView> {
  return {
    ...Object.fromEntries(
      PARAMETER_PROBLEMS.map((problem) => [
        `invalid-${problem}`,
        { kind: 'invalid_request', field: 'payment_url', problem },
      ]),
    ),
    ...Object.fromEntries(
      PROBLEMS.map((problem) => [`problem-${problem}`, { kind: 'problem', problem, shopUrl: SHORT.shopUrl }]),
    ),
  };
}

export const SAMPLES: Readonly<Record<string, PageView>> = {
  choose: { kind: 'choose', types: FORM_PAYMENT_TYPES, brands: TAKEN_BRANDS, payment: euros(SHORT) },
  'choose-long': { kind: 'choose', types: ['card', 'open_banking'], brands: CARD_BRANDS, payment: LONG },
  ...cardPages(),
  ...detailPages(),
  ...bankPages(),
  ...stepPages(),
  ...waitingPages(),
  ...outcomePages(),
  ...problemPages(),
};

/** Every state of every page, even if two states differ in one sentence: that sentence may be too long for its space. */
export const PHOTOGRAPHED: readonly string[] = Object.keys(SAMPLES);

/** Creates the context that the server would pass to a page. `given` overrides values under test. */
export function sampleContext(given: Partial<PageContext> = {}): PageContext {
  return {
    language: 'en',
    nonce: 'bm9uY2Utb2YtYS10ZXN0',
    assets: {
      styles: '/assets/form.css',
      icon: '/assets/icon.svg',
      form: '/assets/form.js',
      fields: '/assets/fields.js',
      banks: '/assets/banks.js',
      wallets: '/assets/wallets.js',
    },
    brand: { logoUrl: null, themeUrl: null },
    help: SHORT.help,
    siteUrl: `${SHOP_ORIGIN}/`,
    now: NOW,
    isEncrypted: true,
    pageUrl: '/payment/form/token',
    csrfToken: 'csrf-token',
    version: '1',
    languageUrls: inEachLanguage((language) => `?lang=${language}`),
    live: null,
    embeddingOrigins: [],
    ...given,
  };
}
