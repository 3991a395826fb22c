/** The stand-in bank: there in development, refused in production. */
import type { StandInBankConfiguration } from '../../rails/stand-in-bank/configuration.ts';
import { httpUrl, secret } from '../variables.ts';
import type { RailPart } from './rail-part.ts';

const VARIABLES = {
  STAND_IN_BANK_URL: {
    ...httpUrl,
    default: { development: 'http://127.0.0.1:4010', production: null },
    meaning: 'The stand-in bank (npm run simulators) behind all methods but 70. Refused in production.',
  },
  STAND_IN_BANK_SECRET: {
    ...secret,
    default: { development: 'stand-in-bank-secret', production: null },
    meaning: 'What the gateway and the stand-in bank know each other by. Refused in production.',
  },
};

export const standInBank: RailPart<typeof VARIABLES, StandInBankConfiguration> = {
  variables: VARIABLES,
  rules: [
    (_values, { environment, variables }) => {
      const given = Object.keys(VARIABLES).filter((name) => variables[name]);
      return environment === 'production' && given.length > 0
        ? `${given.join(' and ')} must not be set in production: the stand-in bank moves no money`
        : undefined;
    },
  ],
  configure: ({ STAND_IN_BANK_URL: url, STAND_IN_BANK_SECRET: secret }) =>
    url !== null && secret !== null ? { url, secret } : null,
};
