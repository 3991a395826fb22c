/** The sandbox is always there. */
import { matching } from '../../foundation/text-readers.ts';
import { given } from '../../foundation/variables.ts';
import type { RailPart } from '../kit/rail-part.ts';
import type { SandboxConfiguration } from './configuration.ts';

const VARIABLES = {
  SANDBOX_SUCCESS_CARD: {
    ...matching(/^\d{12,19}$/, 'a card number of 12 to 19 digits'),
    default: '4111111111111111',
    meaning: 'The one card on which a payout by method 70, the sandbox, succeeds.',
  },
};

export const sandbox: RailPart<typeof VARIABLES, SandboxConfiguration> = {
  variables: VARIABLES,
  isOnWith: null,
  isReached: false,
  rules: [],
  configure: (values) => ({ successCard: given(values.SANDBOX_SUCCESS_CARD) }),
};
