/** The environment that configures every provider at a URL where nothing listens: accepted requests are stored, and wait. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NOWHERE = 'https://127.0.0.1:1';

/** The key files do not exist, so no request can be signed or sent. */
const KEY_FILES = [
  'PIX_CERTIFICATE_FILE',
  'PIX_PRIVATE_KEY_FILE',
  'PIX_CA_FILE',
  'TRUSTLY_PRIVATE_KEY_FILE',
  'TRUSTLY_PUBLIC_KEY_FILE',
];

export const UNREACHABLE_PROVIDERS: Readonly<Record<string, string>> = {
  ADYEN_TRANSFERS_URL: NOWHERE,
  WAYFORPAY_URL: NOWHERE,
  FREEDOM_PAY_URL: NOWHERE,
  EPOINT_URL: NOWHERE,
  RAZORPAYX_URL: NOWHERE,
  DT_ONE_URL: NOWHERE,
  VOPAY_URL: NOWHERE,
  STP_URL: NOWHERE,
  ADYEN_URL: NOWHERE,
  PIX_URL: NOWHERE,
  TRUSTLY_URL: NOWHERE,
  ...Object.fromEntries(KEY_FILES.map((name) => [name, join(tmpdir(), name)])),
};
