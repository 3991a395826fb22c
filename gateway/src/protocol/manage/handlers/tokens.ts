/** API tokens. A merchant's callers create, see and revoke the tokens of their merchant only. */

import type { TOKEN_ENDPOINTS, Token } from '../../../../contract/endpoints/tokens.ts';
import { type Permission, SCOPE_NAMES } from '../../../../contract/permissions.ts';
import { wordsFault } from '../../../domain/audit/act-words.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import { type Caller, mayUse, personOf } from '../../../domain/people/caller.ts';
import type { ApiToken } from '../../../domain/people/tokens/api-token.ts';
import { fail, ok } from '../../../foundation/result.ts';
import type { HandlersOf } from '../handler.ts';
import { type ManageProblem, MERCHANT_NOT_FOUND, notFound } from '../problems.ts';
import { instantText, instantTextOrNull } from '../views/instant-text.ts';

export function tokenHandlers({ tokens }: GatewayOperations): HandlersOf<typeof TOKEN_ENDPOINTS> {
  return {
    async 'tokens.create'({ query: { merchantId = null }, body: { name, scopes, days = 90 }, caller }) {
      const excess = scopes.find((scope) => !mayUse(caller, scope));
      if (excess !== undefined)
        return fail({
          code: 'forbidden',
          field: '/scopes',
          detail: `scopes must not exceed the permissions of the caller, who lacks ${excess}.`,
        });
      const fault = wordsFault({ by: name });
      if (fault) return fail({ code: 'invalid-request', field: '/name', detail: `name ${fault.reason}.` });
      if (PASSES_FOR_ANOTHER.test(name)) return fail(ANOTHERS_NAME);
      const order = { name, merchantId, scopes, days };
      const issued = await tokens.issue({ ...order, ...originOf(caller) });
      if (!issued.ok) return fail({ ...MERCHANT_NOT_FOUND, field: 'merchantId' });
      const token = viewToken(issued.value.token);
      return ok({
        answer: { token, secret: issued.value.secret.reveal() },
        change: { before: null, after: token },
        created: `tokens/${token.tokenId}`,
      });
    },
    async 'tokens.list'({ query: { merchantId = null } }) {
      return ok({ answer: { items: (await tokens.list(merchantId)).map(viewToken) } });
    },
    async 'tokens.revoke'({ params: { tokenId }, query: { merchantId } }) {
      const found = await tokens.find(tokenId);
      if (!found || (merchantId !== undefined && found.merchantId !== merchantId)) return fail(NO_TOKEN);
      const token = await tokens.revoke(tokenId);
      if (!token) return fail(NO_TOKEN);
      const view = viewToken(token);
      return ok({ answer: view, change: { before: viewToken(found), after: view } });
    },
  };
}

/** Histories identify an actor only by this text. */
const PASSES_FOR_ANOTHER = /@|^\s*(?:operator|merchant|payer)\s*$/i;
const ANOTHERS_NAME: ManageProblem = {
  code: 'invalid-request',
  field: '/name',
  detail: 'name must not be an email address or a reserved name ("operator", "merchant" or "payer").',
};

const NO_TOKEN = notFound('No token has this id. "gateway token list" lists all tokens.');

/** A token created by a token is its child. */
function originOf(caller: Caller) {
  const { actor, expiresAt, approvedBy = '', shownTo = '' } = caller;
  const parent = actor.kind === 'token' && expiresAt !== undefined ? { tokenId: actor.id, expiresAt } : null;
  return { createdBy: personOf(caller), shownTo: approvedBy === '' ? shownTo : approvedBy, parent };
}

/** A scope that this version no longer knows grants no permission, and is not shown. */
function viewToken(token: ApiToken): Token {
  const { tokenId, name, merchantId, scopes, createdAt, expiresAt, revokedAt, lastUsedAt } = token;
  return {
    tokenId,
    name,
    merchantId,
    scopes: scopes.filter((scope): scope is Permission => (SCOPE_NAMES as readonly string[]).includes(scope)),
    createdAt: instantText(createdAt),
    expiresAt: instantText(expiresAt),
    revokedAt: instantTextOrNull(revokedAt),
    lastUsedAt: instantTextOrNull(lastUsedAt),
  };
}
