/** The texts of the operator’s first page. They are only in English. */
import { DIFFERENCE_NAMES, MISMATCH_TEXTS } from '../../../../gateway/contract/texts/difference-names.ts';
export const inboxPages = {
  inbox: {
    title: 'Inbox',
    allWell: 'Nothing to review.',
    kind: 'Type',
    subject: 'Item',
    money: 'Amount',
    since: 'Since',
    next: 'Next action',
    byAge: 'By age and amount',
    ages: { hour: 'Under an hour', day: 'Under a day', older: 'A day or more' },
    total: 'Amount',
    atLeast: 'Showing the first 100 items of each type.',
    kinds: {
      payout: 'Payout without a result',
      changed: 'Payout whose row was changed',
      payment: 'Payment without a result',
      held: 'Held money',
      difference: 'Difference',
      approval: 'Payout to approve',
      proposal: 'Action to approve',
      callbacks: 'Callbacks not delivered',
      lane: 'Callbacks paused',
      float: 'Prefunded balance is low',
      rail: 'Rail is down',
      reset: 'Credentials to reset',
    },
    askBank: 'Ask the bank',
    askText: 'The gateway asks the bank now. A final answer determines the outcome of the payout.',
    settle: 'Decide',
    compare: 'Investigate',
    review: 'Review',
    resend: 'Resend',
    resendText: (merchantId: string) => `The gateway resends all undelivered callbacks of ${merchantId} now.`,
    failedAttempts: (count: number) => `${count} failed attempts in a row`,
    resume: 'Try now',
    resumeText:
      'The gateway sends the first waiting callback now. If the merchant’s server accepts it, all others follow.',
    topUp: 'View rail',
    open: 'Open',
    approve: 'View team',
  },
  firstSteps: {
    title: 'First steps',
    hide: 'Hide',
    done: 'done',
    progress: (done: number, all: number) => `${done} of ${all} steps are done`,
    steps: {
      people: {
        title: 'Invite people',
        text: 'Invite a second administrator first: two administrators can restore each other’s access.',
        button: 'Invite people',
      },
      merchant: {
        title: 'Create a merchant',
        text: 'Its API key and its form key are shown once. You can invite the merchant’s people afterwards.',
        button: 'Create a merchant',
      },
      rail: {
        title: 'Connect a rail',
        text: 'Only the sandbox is configured. The page lists the variables that each provider needs. Set them, restart, and test the connection there.',
        button: 'View rails',
      },
      payout: {
        title: 'Send a payout',
        text: 'Method 70 pays 4111 1111 1111 1111 through the sandbox and moves no real money.',
        button: 'New payout',
      },
      callback: {
        title: 'View its callback',
        text: 'The gateway sends the result to the URL in the merchant’s settings.',
        button: 'View callbacks',
      },
    },
  },
  /** Why a transfer is held. */
  mismatches: MISMATCH_TEXTS,
  /** By the kind of a difference. */
  differences: DIFFERENCE_NAMES,
};
