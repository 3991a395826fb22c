/** Statements: composed from the ledger, formatted, and signed with the gateway's key. */
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import { composeStatement } from '../../../domain/statements/compose-statement.ts';
import { MOST_LINES } from '../../../domain/statements/statement-file.ts';
import { openStatementSigner, rotateStatementKey } from '../../../domain/statements/statement-keys.ts';
import { fail, ok } from '../../../foundation/result.ts';
import { writeStatement } from '../../../protocol/statements/write-statement.ts';
import type { GatewayCore } from '../gateway-core.ts';

export function statementOperations(core: GatewayCore): GatewayOperations['statements'] {
  const { statements: store, statementKeys, ledger, directory, sealer, random, clock } = core;
  const keyParts = { store: statementKeys, sealer, random, clock };
  return {
    async write(order, format) {
      const composed = await composeStatement({ store, ledger, merchants: directory }, order);
      if (!composed.ok) return composed;
      const { head } = composed.value;
      if (head.lines > MOST_LINES[format]) return fail('too_many_lines');
      const signer = head.isFinal ? await openStatementSigner(keyParts) : null;
      return ok(writeStatement(composed.value, format, signer));
    },
    keys: statementKeys.keys,
    async makeFirstKey() {
      await openStatementSigner(keyParts);
    },
    rotateKey: () => rotateStatementKey(keyParts),
  };
}
