/**
 * The providers of the hosted form in the demo: a simulator of each, which the demo's gateway and it know each other by.
 * Books, keys and certificates are in the data directory.
 */
import { join } from 'node:path';
import type { Config, EnvironmentVariables } from '../../gateway/src/main/config.ts';
import {
  openSimulator,
  type SideOptions,
  type Simulator,
  type SimulatorKind,
  type SimulatorPlace,
} from './simulator.ts';

type Rails = Config['rails'];

/** One provider: where it is, and what both of its sides are told. */
export interface FormProvider {
  readonly kind: SimulatorKind;
  readonly usualPort: string;
  /** Further ports of its simulator, with the usual ones. */
  readonly otherPorts: Readonly<Record<string, string>>;
  readonly controlSecret: string;
  /** The gateway's variables. `ports`: by the variable of each; `folder`: the data directory. */
  variables(ports: Readonly<Record<string, string>>, folder: string): EnvironmentVariables;
  /** The simulator's, besides its ports and its secret. */
  environment(rails: Rails, options: Pick<SideOptions, 'gatewayUrl' | 'dataDir'>): Readonly<Record<string, string>>;
}

const MEANWHILE = 'its payments wait until it is back';
const PROBE = '/control/summary';

const adyen: FormProvider = {
  kind: {
    name: 'Adyen simulator',
    program: 'adyen',
    server: 'adyen-simulator',
    probe: PROBE,
    variables: { url: 'ADYEN_URL', port: 'ADYEN_PORT', secret: 'ADYEN_CONTROL_SECRET' },
    meanwhile: MEANWHILE,
  },
  usualPort: '4030',
  otherPorts: {},
  controlSecret: 'adyen-control-secret',
  variables: ({ ADYEN_PORT }) => ({ ADYEN_URL: `http://127.0.0.1:${ADYEN_PORT}/v72` }),
  environment: ({ adyen }, { gatewayUrl, dataDir }) => ({
    ADYEN_MERCHANT_ACCOUNT: adyen?.merchantAccount ?? '',
    ADYEN_API_KEY: adyen?.apiKey.reveal() ?? '',
    ADYEN_HMAC_KEY: adyen?.hmacKeys[0]?.reveal() ?? '',
    ADYEN_WEBHOOK_URL: `${gatewayUrl}/rail-notifications/adyen`,
    ADYEN_BOOK: join(dataDir, 'adyen.jsonl'),
  }),
};

const pix: FormProvider = {
  kind: {
    name: 'Pix simulator',
    program: 'pix',
    server: 'pix-simulator',
    probe: PROBE,
    // Where it shows itself to a browser and is controlled; its API asks for a certificate.
    variables: { url: 'PIX_URL', port: 'PIX_PAGES_PORT', secret: 'PIX_CONTROL_SECRET' },
    meanwhile: MEANWHILE,
  },
  usualPort: '4051',
  otherPorts: { PIX_PORT: '4050' },
  controlSecret: 'pix-control-secret',
  variables: ({ PIX_PORT }, folder) => ({
    PIX_URL: `https://127.0.0.1:${PIX_PORT}/api/v2`,
    PIX_TOKEN_URL: '',
    PIX_CERTIFICATE_FILE: `${folder}/pix/client-certificate.pem`,
    PIX_PRIVATE_KEY_FILE: `${folder}/pix/client-key.pem`,
    PIX_CA_FILE: `${folder}/pix/ca.pem`,
  }),
  environment: ({ pix }, { gatewayUrl, dataDir }) => ({
    PIX_CLIENT_ID: pix?.clientId ?? '',
    PIX_CLIENT_SECRET: pix?.clientSecret.reveal() ?? '',
    PIX_CHAVE: pix?.chave ?? '',
    PIX_CITY: pix?.city ?? '',
    PIX_CERTIFICATES: join(dataDir, 'pix'),
    PIX_WEBHOOK_URL: `${gatewayUrl}/rail-notifications`,
    PIX_BOOK: join(dataDir, 'pix.jsonl'),
  }),
};

const trustly: FormProvider = {
  kind: {
    name: 'Trustly simulator',
    program: 'trustly',
    server: 'trustly-simulator',
    probe: PROBE,
    variables: { url: 'TRUSTLY_URL', port: 'TRUSTLY_PORT', secret: 'TRUSTLY_CONTROL_SECRET' },
    meanwhile: MEANWHILE,
  },
  usualPort: '4070',
  otherPorts: {},
  controlSecret: 'trustly-control-secret',
  variables: ({ TRUSTLY_PORT }, folder) => ({
    TRUSTLY_URL: `http://127.0.0.1:${TRUSTLY_PORT}/api/1`,
    TRUSTLY_PRIVATE_KEY_FILE: `${folder}/trustly/private-key.pem`,
    TRUSTLY_PUBLIC_KEY_FILE: `${folder}/trustly/trustly-public-key.pem`,
  }),
  environment: ({ trustly }, { dataDir }) => ({
    TRUSTLY_USERNAME: trustly?.username ?? '',
    TRUSTLY_PASSWORD: trustly?.password.reveal() ?? '',
    TRUSTLY_CLIENT_PUBLIC_KEY: join(dataDir, 'trustly/public-key.pem'),
    TRUSTLY_OWN_KEY: join(dataDir, 'trustly/trustly-own-key.pem'),
    TRUSTLY_PUBLIC_KEY: join(dataDir, 'trustly/trustly-public-key.pem'),
    TRUSTLY_BOOK: join(dataDir, 'trustly.jsonl'),
  }),
};

export const FORM_PROVIDERS: readonly FormProvider[] = [adyen, pix, trustly];

/** A provider's simulator and where it is. */
export interface FormPlace extends SimulatorPlace {
  readonly provider: FormProvider;
  /** Its further ports, by their variables. */
  readonly ports: Readonly<Record<string, string>>;
}

export function openFormSide(place: FormPlace, rails: Rails, options: SideOptions): Promise<Simulator> {
  const { environment, kind } = place.provider;
  const control = kind.variables.secret.replace(/_SECRET$/, '');
  const own = { ...environment(rails, options), ...place.ports, [control]: 'on' };
  return openSimulator({ ...place, environment: own, onTrouble: options.onTrouble });
}
