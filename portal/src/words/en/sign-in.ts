/** English strings of the pages before sign-in: the sign-in page and invitation links. The other pages have them too. */
import { ROLE_NAMES } from '../../../../gateway/contract/texts/role-names.ts';
import { FAILURE } from '../failure.ts';

export const EN_SIGN_IN = {
  ...FAILURE.en,
  operator: 'Operator',
  loading: 'Loading …',
  dueNow: 'due now',
  none: 'none',
  code: 'Code from your authenticator app',
  passkeyCancelled: 'The passkey was not used, and nothing changed.',
  signIn: {
    title: 'Sign in',
    passkey: 'Sign in with a passkey',
    or: 'or with a password',
    email: 'Email address',
    password: 'Password',
    submit: 'Sign in',
    openid: 'Sign in with your organisation',
    failed: 'Sign-in failed. Check what you entered and your device’s clock.',
  },
  join: {
    title: 'Welcome',
    reset: 'Replace your credentials',
    invited: (role: string, whose: string) => `${whose} invites you as ${role}.`,
    name: 'Your name',
    device: 'Device name',
    submit: 'Create a passkey and sign in',
    invalid: 'This link is not valid: it was used, expired or replaced. Ask for a new link.',
    until: 'The link is valid until',
  },
  enter: {
    other: 'Other sign-in methods',
    recovery: 'Recovery code',
    recoverySubmit: 'Sign in with a recovery code',
    recoveryHint: 'Each code works once. Add a passkey afterwards.',
    returned: 'Signing in',
    known: 'You are signed in. The new role is added to your account.',
    join: 'Join',
    signInFirst: 'I already have an account: sign in first',
  },
  roleNames: ROLE_NAMES,
};

export type SignInWords = typeof EN_SIGN_IN;
