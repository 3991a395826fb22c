/**
 * Reads our certificate for Visa, its private key, and the authority of Visa's certificate. The caller reads them for
 * each new connection, because the files may appear and change while the gateway runs (in development the simulator
 * creates them). Throws if a file is unreadable.
 */
import { readFileSync } from 'node:fs';
import type { TlsIdentity } from '../kit/provider-http.ts';
import type { VisaDirectConfiguration } from './configuration.ts';

export function identityIn({ certificateFile, privateKeyFile, caFile }: VisaDirectConfiguration): TlsIdentity {
  return {
    cert: readFileSync(certificateFile, 'utf8'),
    key: readFileSync(privateKeyFile, 'utf8'),
    ca: caFile === null ? undefined : readFileSync(caFile, 'utf8'),
  };
}
