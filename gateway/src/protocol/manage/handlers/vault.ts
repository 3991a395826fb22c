/** The master key of the vault, and its rotation. */
import type { VAULT_ENDPOINTS } from '../../../../contract/endpoints/vault.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import { fail, ok } from '../../../foundation/result.ts';
import type { HandlersOf } from '../handler.ts';

export function vaultHandlers({ masterKey }: GatewayOperations): HandlersOf<typeof VAULT_ENDPOINTS> {
  return {
    async 'vault.progress'() {
      const { masterKeyId, remaining } = await masterKey.state();
      return ok({ answer: { masterKeyId, remaining: { ...remaining } } });
    },
    async 'vault.rotate'() {
      const lacking = await masterKey.processesWithout();
      if (lacking.length > 0)
        return fail({
          code: 'rejected',
          detail: `These processes lack the current master key: ${lacking.join(', ')}. Restart them with that key in GATEWAY_MASTER_KEY, then repeat the action.`,
        });
      const { masterKeyId, rewrapped, unopened } = await masterKey.rotate(() => {});
      const answer = { masterKeyId, rewrapped, unopened: [...unopened] };
      return ok({ answer, change: { before: null, after: answer } });
    },
  };
}
