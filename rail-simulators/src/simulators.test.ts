import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAllSettings, readSettingsOf } from './simulators.ts';
import { StartupFault } from './startup-fault.ts';

describe('the settings of the simulators', () => {
  it('each STP setting has a default, with one URL for both kinds of message', () => {
    const settings = readSettingsOf('stp', { STP_ABONO_URL: 'https://gateway.example/x' }, '/project');
    assert.deepEqual(settings, {
      port: 4020,
      secret: 'stp-control-secret',
      empresa: 'GATEWAY',
      clabePrefix: '6461804990',
      publicKeyPath: '/project/data/stp-public-key.pem',
      notify: { abonoUrl: 'https://gateway.example/x', stateUrl: 'https://gateway.example/x' },
      bookPath: '/project/data/stp.jsonl',
      control: true,
    });
  });

  it('each Trustly setting has a default, with the keys where the gateway reads them', () => {
    assert.deepEqual(readAllSettings({}, '/project').trustly, {
      port: 4070,
      secret: 'trustly-control-secret',
      username: 'gateway',
      password: 'trustly-password',
      clientKeyPath: '/project/data/trustly/public-key.pem',
      ownKeyPath: '/project/data/trustly/trustly-own-key.pem',
      publicKeyPath: '/project/data/trustly/trustly-public-key.pem',
      bookPath: '/project/data/trustly.jsonl',
      control: true,
    });
  });

  it('each Pix setting has a default', () => {
    assert.deepEqual(readAllSettings({}, '/project').pix, {
      port: 4050,
      pagesPort: 4051,
      secret: 'pix-control-secret',
      clientId: 'gateway',
      clientSecret: 'pix-client-secret',
      chave: 'gateway@example.com',
      receiver: { name: 'Gateway', city: 'Sao Paulo' },
      certificateFolder: '/project/data/pix',
      webhookUrl: 'http://127.0.0.1:8080/rail-notifications',
      bookPath: '/project/data/pix.jsonl',
      control: true,
    });
  });

  it('each Adyen setting has a default', () => {
    assert.deepEqual(readAllSettings({}, '/project').adyen, {
      port: 4030,
      secret: 'adyen-control-secret',
      merchantAccount: 'GatewayECOM',
      apiKey: 'adyen-api-key',
      hmacKey: '0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF',
      webhookUrl: 'http://127.0.0.1:8080/rail-notifications/adyen',
      bookPath: '/project/data/adyen.jsonl',
      control: true,
    });
  });

  it('each Token.io setting has a default, with the client’s key where the gateway writes it', () => {
    assert.deepEqual(readAllSettings({}, '/project').tokenIo, {
      port: 4040,
      secret: 'token-io-control-secret',
      memberId: 'm:gateway:5zKtXEAq',
      keyId: 'gateway-key',
      clientKeyPath: '/project/data/token-io/public-key.pem',
      webhookKeySeed: '74'.repeat(32),
      webhookUrl: 'http://127.0.0.1:8080/rail-notifications/token-io',
      account: { id: 'pa:gateway:2gFUX1NEGTG', iban: 'NL91ABNA0417164300', name: 'Payment Gateway' },
      bookPath: '/project/data/token-io.jsonl',
      control: true,
    });
  });

  it('each VoPay setting has a default', () => {
    assert.deepEqual(readAllSettings({}, '/project').vopay, {
      port: 4060,
      secret: 'vopay-control-secret',
      accountId: 'gateway',
      key: 'vopay-key',
      sharedSecret: 'vopay-shared-secret',
      webhookUrl: 'http://127.0.0.1:8080/rail-notifications/vopay',
      bookPath: '/project/data/vopay.jsonl',
      control: true,
    });
  });

  it('each WayForPay setting has a default', () => {
    assert.deepEqual(readAllSettings({}, '/project').wayforpay, {
      port: 4080,
      secret: 'wayforpay-control-secret',
      merchantAccount: 'gateway',
      secretKey: 'wayforpay-secret-key',
      bookPath: '/project/data/wayforpay.jsonl',
      control: true,
    });
  });

  it('each RazorpayX setting has a default', () => {
    assert.deepEqual(readAllSettings({}, '/project').razorpayx, {
      port: 4120,
      secret: 'razorpayx-control-secret',
      keyId: 'rzp_test_gateway',
      keySecret: 'razorpayx-key-secret',
      accountNumber: '7878780080316316',
      webhookSecret: 'razorpayx-webhook-secret',
      webhookUrl: 'http://127.0.0.1:8080/rail-notifications/razorpayx',
      bookPath: '/project/data/razorpayx.jsonl',
      control: true,
    });
  });

  it('each Epoint setting has a default', () => {
    assert.deepEqual(readAllSettings({}, '/project').epoint, {
      port: 4110,
      secret: 'epoint-control-secret',
      publicKey: 'i000000001',
      privateKey: 'epoint-private-key',
      resultUrl: 'http://127.0.0.1:8080/rail-notifications/epoint',
      bookPath: '/project/data/epoint.jsonl',
      control: true,
    });
  });

  it('each DT One setting has a default', () => {
    assert.deepEqual(readAllSettings({}, '/project').dtOne, {
      port: 4130,
      secret: 'dt-one-control-secret',
      apiKey: 'gateway',
      apiSecret: 'dt-one-api-secret',
      callbackUsername: 'dt-one',
      callbackPassword: 'dt-one-callback-password',
      bookPath: '/project/data/dt-one.jsonl',
      control: true,
    });
  });

  it('each Freedom Pay setting has a default', () => {
    assert.deepEqual(readAllSettings({}, '/project').freedomPay, {
      port: 4100,
      secret: 'freedom-pay-control-secret',
      merchantId: '500001',
      payoutSecret: 'freedom-pay-payout-secret',
      bookPath: '/project/data/freedom-pay.jsonl',
      control: true,
    });
  });

  it('each Adyen Transfers setting has a default', () => {
    assert.deepEqual(readAllSettings({}, '/project').adyenTransfers, {
      port: 4140,
      secret: 'adyen-transfers-control-secret',
      apiKey: 'adyen-transfers-api-key',
      balanceAccount: 'BA00000000000000000000001',
      hmacKey: 'FEDCBA9876543210FEDCBA9876543210FEDCBA9876543210FEDCBA9876543210',
      webhookUrl: 'http://127.0.0.1:8080/rail-notifications/adyen-transfers',
      bookPath: '/project/data/adyen-transfers.jsonl',
      control: true,
    });
  });

  it('each Visa Direct setting has a default', () => {
    assert.deepEqual(readAllSettings({}, '/project').visaDirect, {
      port: 4150,
      controlPort: 4151,
      secret: 'visa-direct-control-secret',
      userId: 'gateway',
      password: 'visa-direct-password',
      acquiringBin: '408999',
      certificateFolder: '/project/data/visa-direct',
      encryption: true,
      bookPath: '/project/data/visa-direct.jsonl',
      control: true,
    });
  });

  it('readSettingsOf reads only one provider’s settings, each with a default', () => {
    assert.deepEqual(readSettingsOf('wayforpay', {}, '/project'), {
      port: 4080,
      secret: 'wayforpay-control-secret',
      merchantAccount: 'gateway',
      secretKey: 'wayforpay-secret-key',
      bookPath: '/project/data/wayforpay.jsonl',
      control: true,
    });
  });

  it('each Mastercard Send setting has a default, with the client’s key where the gateway writes it', () => {
    assert.deepEqual(readAllSettings({}, '/project').mastercardSend, {
      port: 4160,
      secret: 'mastercard-send-control-secret',
      partnerId: 'ptnr_gateway',
      consumerKey: 'gateway!mastercard-send',
      clientKeyPath: '/project/data/mastercard-send/public-key.pem',
      bookPath: '/project/data/mastercard-send.jsonl',
      control: true,
    });
  });

  it('the simulators report all invalid settings in one message', () => {
    const wrong = {
      STP_PORT: 'x',
      STP_CONTROL_SECRET: '',
      STP_EMPRESA: 'A|B',
      STP_CLABE_PREFIX: '012180',
      STP_PUBLIC_KEY: '',
      STP_ABONO_URL: 'x',
      STP_STATE_URL: 'ftp://x',
      STP_BOOK: '',
      STP_CONTROL: '',
      TRUSTLY_PORT: '-1',
      TRUSTLY_CONTROL_SECRET: '',
      TRUSTLY_USERNAME: '',
      TRUSTLY_PASSWORD: '',
      TRUSTLY_CLIENT_PUBLIC_KEY: '',
      TRUSTLY_OWN_KEY: '',
      TRUSTLY_PUBLIC_KEY: '',
      TRUSTLY_BOOK: '',
      TRUSTLY_CONTROL: 'x',
      PIX_PORT: '-1',
      PIX_PAGES_PORT: 'x',
      PIX_CONTROL_SECRET: '',
      PIX_CLIENT_ID: 'a:b',
      PIX_CLIENT_SECRET: '',
      PIX_CHAVE: '',
      PIX_RECEIVER: 'São Paulo',
      PIX_CITY: 'x'.repeat(16),
      PIX_CERTIFICATES: '',
      PIX_WEBHOOK_URL: 'ftp://x',
      PIX_BOOK: '',
      PIX_CONTROL: 'perhaps',
      ADYEN_PORT: '-1',
      ADYEN_CONTROL_SECRET: '',
      ADYEN_MERCHANT_ACCOUNT: 'a b',
      ADYEN_API_KEY: '',
      ADYEN_HMAC_KEY: 'xyz',
      ADYEN_WEBHOOK_URL: 'ftp://x',
      ADYEN_BOOK: '',
      ADYEN_CONTROL: 'x',
      TOKEN_IO_PORT: '-1',
      TOKEN_IO_CONTROL_SECRET: '',
      TOKEN_IO_MEMBER_ID: 'gateway',
      TOKEN_IO_KEY_ID: '',
      TOKEN_IO_CLIENT_PUBLIC_KEY: '',
      TOKEN_IO_WEBHOOK_KEY_SEED: 'xyz',
      TOKEN_IO_WEBHOOK_URL: 'ftp://x',
      TOKEN_IO_SETTLEMENT_ACCOUNT: 'gateway',
      TOKEN_IO_CREDITOR_IBAN: 'NL91 ABNA',
      TOKEN_IO_CREDITOR_NAME: '',
      TOKEN_IO_BOOK: '',
      TOKEN_IO_CONTROL: 'x',
      VOPAY_PORT: '-1',
      VOPAY_CONTROL_SECRET: '',
      VOPAY_ACCOUNT_ID: 'a b',
      VOPAY_KEY: '',
      VOPAY_SHARED_SECRET: '',
      VOPAY_WEBHOOK_URL: 'ftp://x',
      VOPAY_BOOK: '',
      VOPAY_CONTROL: 'x',
      WAYFORPAY_PORT: '-1',
      WAYFORPAY_CONTROL_SECRET: '',
      WAYFORPAY_MERCHANT_ACCOUNT: 'a b',
      WAYFORPAY_SECRET_KEY: '',
      WAYFORPAY_BOOK: '',
      WAYFORPAY_CONTROL: 'x',
      EPOINT_PORT: '-1',
      EPOINT_CONTROL_SECRET: '',
      EPOINT_PUBLIC_KEY: 'a b',
      EPOINT_PRIVATE_KEY: '',
      EPOINT_RESULT_URL: 'ftp://x',
      EPOINT_BOOK: '',
      EPOINT_CONTROL: 'x',
      RAZORPAYX_PORT: '-1',
      RAZORPAYX_CONTROL_SECRET: '',
      RAZORPAYX_KEY_ID: 'gateway',
      RAZORPAYX_KEY_SECRET: '',
      RAZORPAYX_ACCOUNT_NUMBER: '1 2',
      RAZORPAYX_WEBHOOK_SECRET: '',
      RAZORPAYX_WEBHOOK_URL: 'ftp://x',
      RAZORPAYX_BOOK: '',
      RAZORPAYX_CONTROL: 'x',
      DT_ONE_PORT: '-1',
      DT_ONE_CONTROL_SECRET: '',
      DT_ONE_API_KEY: 'a:b',
      DT_ONE_API_SECRET: '',
      DT_ONE_CALLBACK_USERNAME: 'a:b',
      DT_ONE_CALLBACK_PASSWORD: '',
      DT_ONE_BOOK: '',
      DT_ONE_CONTROL: 'x',
      FREEDOM_PAY_PORT: '-1',
      FREEDOM_PAY_CONTROL_SECRET: '',
      FREEDOM_PAY_MERCHANT_ID: 'a',
      FREEDOM_PAY_PAYOUT_SECRET: '',
      FREEDOM_PAY_BOOK: '',
      FREEDOM_PAY_CONTROL: 'x',
      ADYEN_TRANSFERS_PORT: '-1',
      ADYEN_TRANSFERS_CONTROL_SECRET: '',
      ADYEN_TRANSFERS_API_KEY: '',
      ADYEN_TRANSFERS_BALANCE_ACCOUNT: '1',
      ADYEN_TRANSFERS_HMAC_KEY: 'xyz',
      ADYEN_TRANSFERS_WEBHOOK_URL: 'ftp://x',
      ADYEN_TRANSFERS_BOOK: '',
      ADYEN_TRANSFERS_CONTROL: 'x',
      MASTERCARD_SEND_PORT: '-1',
      MASTERCARD_SEND_CONTROL_SECRET: '',
      MASTERCARD_SEND_PARTNER_ID: 'gateway',
      MASTERCARD_SEND_CONSUMER_KEY: '',
      MASTERCARD_SEND_CLIENT_PUBLIC_KEY: '',
      MASTERCARD_SEND_BOOK: '',
      MASTERCARD_SEND_CONTROL: 'x',
      VISA_DIRECT_PORT: '-1',
      VISA_DIRECT_CONTROL_PORT: '-1',
      VISA_DIRECT_CONTROL_SECRET: '',
      VISA_DIRECT_USER_ID: 'a:b',
      VISA_DIRECT_PASSWORD: '',
      VISA_DIRECT_ACQUIRING_BIN: '1',
      VISA_DIRECT_CERTIFICATES: '',
      VISA_DIRECT_ENCRYPTION: 'x',
      VISA_DIRECT_BOOK: '',
      VISA_DIRECT_CONTROL: 'x',
    };
    assert.throws(
      () => readAllSettings(wrong, '/project'),
      (error: Error) =>
        error instanceof StartupFault && Object.keys(wrong).every((name) => error.message.includes(name)),
    );
  });
});
