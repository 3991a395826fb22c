/** The variables with which a gateway finds the Adyen Transfers simulator. */
export const gatewayVariables = (url: string) => ({
  ADYEN_TRANSFERS_URL: `${url}/btl/v4`,
  ADYEN_TRANSFERS_BALANCES_URL: `${url}/bcl/v2`,
});
