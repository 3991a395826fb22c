/** API tokens. */
import { type Permission, SCOPE_NAMES } from '../../../../contract/permissions.ts';
import type { TOKEN_ENDPOINTS, Token } from '../../../../contract/tokens.ts';
import type { GatewayOperations } from '../../../domain/management/gateway-operations.ts';
import type { ApiToken } from '../../../domain/people/api-token.ts';
import { mayUse, personOf } from '../../../domain/people/caller.ts';
import { fail, ok } from '../../../foundation/result.ts';
import type { HandlersOf } from '../handler.ts';
import { instantText, instantTextOrNull } from '../views.ts';

export function tokenHandlers({ tokens }: GatewayOperations): HandlersOf<typeof TOKEN_ENDPOINTS> {
  return {
    async 'tokens.create'({ body, caller }) {
      const { name, merchantId = null, scopes, days = 90 } = body;
      const excess = scopes.find((scope) => !mayUse(caller, scope));
      if (excess !== undefined)
        return fail({
          code: 'forbidden',
          field: '/scopes',
          detail: `scopes: the caller lacks ${excess}, so it cannot give it to a token.`,
        });
      const issued = await tokens.issue({ name, merchantId, scopes, days, createdBy: personOf(caller) });
      if (!issued.ok) return fail({ code: 'not-found', field: '/merchantId', detail: 'There is no such merchant.' });
      const token = viewToken(issued.value.token);
      return ok({
        answer: { token, secret: issued.value.secret.reveal() },
        change: { before: null, after: token },
        created: `tokens/${token.tokenId}`,
      });
    },
    async 'tokens.list'() {
      return ok({ answer: { items: (await tokens.list()).map(viewToken) } });
    },
    async 'tokens.revoke'({ params }) {
      const token = await tokens.revoke(params.tokenId);
      if (!token) return fail({ code: 'not-found', detail: 'There is no such token.' });
      const view = viewToken(token);
      return ok({ answer: view, change: { before: null, after: view } });
    },
  };
}

/** A scope that this version no longer knows gives no permission, and is not shown. */
function viewToken(token: ApiToken): Token {
  const { tokenId, name, merchantId, scopes, createdAt, expiresAt, revokedAt, lastUsedAt } = token;
  return {
    ...{ tokenId, name, merchantId },
    scopes: scopes.filter((scope): scope is Permission => (SCOPE_NAMES as readonly string[]).includes(scope)),
    createdAt: instantText(createdAt),
    expiresAt: instantText(expiresAt),
    revokedAt: instantTextOrNull(revokedAt),
    lastUsedAt: instantTextOrNull(lastUsedAt),
  };
}
