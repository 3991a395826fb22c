/**
 * Opens the variables whose values a key service sealed, before anything reads the configuration. So a master key need not
 * be on the machine, and every check of a variable sees its real value.
 */
import type { Clock } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';
import type { EnvironmentVariables } from '../../foundation/variables.ts';
import { VARIABLES } from '../config/config.ts';
import { fillFromFiles } from '../config/variable-files.ts';
import { KeyServiceError } from './key-service.ts';
import { createVaultTransit } from './vault-transit.ts';

const SEALED = /^vault:v\d+:[A-Za-z0-9+/]+=*$/;
const SERVICE = ['KEY_SERVICE_URL', 'KEY_SERVICE_TOKEN', 'KEY_SERVICE_KEY'] as const;

/** Opens the sealed variables. Returns the same variables if none is sealed. Rejects with KeyServiceError. */
export async function openSealedVariables(
  variables: EnvironmentVariables,
  clock: Clock,
): Promise<EnvironmentVariables> {
  const filled = fillFromFiles(variables, Object.keys(VARIABLES)).variables;
  const sealed = Object.keys(VARIABLES).filter((name) => SEALED.test(filled[name] ?? ''));
  if (sealed.length === 0) return variables;
  const [url, token, key] = SERVICE.map((name) => filled[name] || undefined);
  if (
    url === undefined ||
    token === undefined ||
    key === undefined ||
    VARIABLES.KEY_SERVICE_URL.read(url) === undefined
  )
    throw new KeyServiceError(
      `${sealed.join(' and ')} was sealed with a key service: set ${SERVICE.join(', ')} (KEY_SERVICE_URL accepts ${VARIABLES.KEY_SERVICE_URL.accepts})`,
    );
  const service = createVaultTransit({ url: url.replace(/\/$/, ''), token: new Secret(token), key, clock });
  const opened: Record<string, string | undefined> = { ...variables };
  for (const name of sealed) {
    opened[name] = (await service.open(filled[name] ?? '')).reveal();
    delete opened[`${name}_FILE`];
  }
  return opened;
}
