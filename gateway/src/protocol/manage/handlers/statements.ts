/** Statements of a merchant's money, and the keys that sign them. */
import type { STATEMENT_ENDPOINTS } from '../../../../contract/endpoints/statements.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import type { StatementFailure } from '../../../domain/statements/compose-statement.ts';
import { MOST_LINES } from '../../../domain/statements/statement-file.ts';
import type { PublicStatementKey } from '../../../domain/statements/statement-key-store.ts';
import { isCurrency } from '../../../foundation/currency.ts';
import { fail, ok } from '../../../foundation/result.ts';
import type { HandlersOf } from '../handler.ts';
import { type ManageProblem, MERCHANT_NOT_FOUND } from '../problems.ts';
import { instantText } from '../views/instant-text.ts';

export function statementHandlers({
  statements,
}: Pick<GatewayOperations, 'statements'>): HandlersOf<typeof STATEMENT_ENDPOINTS> {
  return {
    async 'statements.show'({ params: { merchantId }, query }) {
      const { currency, format = 'json' } = query;
      if (!isCurrency(currency))
        return fail({ code: 'invalid-request', field: 'currency', detail: `currency ${currency} is not supported.` });
      const order = { merchantId, currency, from: Date.parse(query.from), until: Date.parse(query.until) };
      const written = await statements.write(order, format);
      return written.ok ? ok({ file: written.value }) : fail(PROBLEMS[written.error]);
    },
    async 'statementKeys.list'() {
      return ok({ answer: { items: (await statements.keys()).map(viewKey) } });
    },
    async 'statementKeys.rotate'() {
      const key = viewKey(await statements.rotateKey());
      return ok({ answer: key, change: { before: null, after: key }, created: `statement-keys/${key.keyId}` });
    },
  };
}

const PROBLEMS: Readonly<Record<StatementFailure | 'too_many_lines', ManageProblem>> = {
  merchant_not_found: MERCHANT_NOT_FOUND,
  period_rejected: {
    code: 'invalid-request',
    field: 'until',
    detail: 'until must be after from, by at most 366 days.',
  },
  too_many_lines: {
    code: 'rejected',
    field: 'format',
    detail: `The statement has too many lines for this format (XLSX: ${MOST_LINES.xlsx}, PDF: ${MOST_LINES.pdf}). Use CSV, or a shorter period.`,
  },
};

function viewKey({ keyId, publicKey, createdAt }: PublicStatementKey) {
  return { keyId, publicKey, createdAt: instantText(createdAt) };
}
