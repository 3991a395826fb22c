/** The key from which a test's own stores create references. */
import { Secret } from '../../../src/foundation/secret.ts';

export const REFERENCE_KEY = new Secret(Buffer.alloc(32, 'reference').toString('base64'));
