/** The sandbox's configuration and variables. The sandbox is always on. */
import { matching } from '../../foundation/text/text-readers.ts';
import { given } from '../../foundation/variables.ts';
import type { ConfigurationPart } from '../kit/rail-definition.ts';

export const SANDBOX = 'sandbox';

export interface SandboxConfiguration {
  /** The only card number that succeeds (decision 16). It is public, because it protects no money. */
  readonly successCard: string;
}

const VARIABLES = {
  SANDBOX_SUCCESS_CARD: {
    ...matching(/^\d{12,19}$/, 'a card number of 12 to 19 digits'),
    default: '4111111111111111',
    meaning: 'The only card to which a payout by method 70, the sandbox, succeeds.',
  },
};

export const sandboxConfiguration: ConfigurationPart<typeof VARIABLES, SandboxConfiguration> = {
  name: SANDBOX,
  variables: VARIABLES,
  isOnWith: null,
  needed: [],
  isReached: false,
  rules: [],
  configure: (values) => ({ successCard: given(values.SANDBOX_SUCCESS_CARD) }),
};
