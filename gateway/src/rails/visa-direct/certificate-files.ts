/**
 * The certificate that Visa knows us by, its private key, and whom we believe to be Visa. Read at every new connection, since
 * the files may come after us (in development the simulator leaves them), and be replaced while we run. Throws where one can't
 * be read.
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
