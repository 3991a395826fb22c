/** The obstacles to an action on a payout. */
export const OBSTACLE_TEXTS = {
  already_final: 'The payout is already final.',
  own_payout: 'You created this payout. Another user must approve it.',
  not_waiting: 'The payout does not await approval.',
  merchant_disabled: 'The merchant is suspended. Ask the operator to activate it.',
  too_late: 'The approval deadline has passed. The gateway blocks the payout and releases its money.',
  already_sent: 'A bank may have the payout, so it cannot be cancelled.',
  recovering:
    'The gateway is recovering from a restore, and a bank may have paid the payout. Cancel it when the recovery is complete.',
  payout_not_found: 'The merchant has no payout with this id. "gateway payout list" lists all payouts.',
  never_sent: 'The gateway never sent the payout to that provider.',
};
