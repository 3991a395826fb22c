/** The reference of this gateway: its facts, and the merchant for whom it is filled in. */
import type { MerchantId } from '../../foundation/identifiers.ts';
import { equalInConstantTime } from '../../foundation/secret.ts';
import { DEFAULT_RATES } from '../../protocol/authentication/rate-limit.ts';
import type { ReferenceFacts, ReferenceOwner } from '../../protocol/reference/reference-facts.ts';
import type { ReferenceParts } from '../../protocol/reference/reference-routes.ts';
import type { GatewayCore } from './gateway-core.ts';

/** `signedInMerchant` returns the merchant of the signed-in session, from these cookies. */
export function createReference(
  core: GatewayCore,
  signedInMerchant: (cookies: string | undefined) => Promise<MerchantId | null>,
): ReferenceParts {
  const isSandbox = core.config.mode === 'sandbox';
  return {
    facts: factsOf(core, isSandbox),
    async ownerOf({ cookie, authorization }) {
      const merchantId = await signedInMerchant(cookie);
      if (merchantId !== null) return ownerOf(core, merchantId, isSandbox);
      return isSandbox ? ownerByKey(core, authorization) : undefined;
    },
  };
}

function factsOf({ config, rails }: GatewayCore, isSandbox: boolean): ReferenceFacts {
  return {
    baseUrl: config.publicUrl,
    isSandbox,
    payoutMethods: new Set(rails.payoutRails.flatMap(({ methods }) => [...methods])),
    deposits: [
      ...rails.depositRails.map(({ paymentType, currency }) => [paymentType, [currency]] as const),
      ...rails.paymentRails.map(({ paymentType, currencies }) => [paymentType, [...currencies]] as const),
    ],
    ratesPerSecond: DEFAULT_RATES[config.environment],
  };
}

/** A live key never enters a page: only a sandbox gateway includes its key. */
async function ownerOf(
  { directory }: GatewayCore,
  merchantId: MerchantId,
  isSandbox: boolean,
): Promise<ReferenceOwner | undefined> {
  const found = await directory.find(merchantId);
  const sandboxKey = (isSandbox && found?.keys.api[0]?.secret) || null;
  return found && { merchantId, settings: found.merchant.settings, sandboxKey };
}

/** Returns the merchant of a sandbox whose API key is the password (HTTP Basic). */
async function ownerByKey(core: GatewayCore, authorization = ''): Promise<ReferenceOwner | undefined> {
  const [, encoded = ''] = /^Basic ([A-Za-z0-9+/=]{1,1000})$/i.exec(authorization) ?? [];
  const [, merchantId = '', password = ''] = /^([^:]+):(.+)$/.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  const owner = merchantId === '' ? undefined : await ownerOf(core, merchantId, true);
  return owner?.sandboxKey && equalInConstantTime(owner.sandboxKey.reveal(), password) ? owner : undefined;
}
