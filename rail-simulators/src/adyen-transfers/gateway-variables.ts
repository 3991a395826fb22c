/** The variables by which a gateway finds the simulator of Adyen Transfers at its address. */
export const gatewayVariables = (url: string) => ({
  ADYEN_TRANSFERS_URL: `${url}/btl/v4`,
  ADYEN_TRANSFERS_BALANCES_URL: `${url}/bcl/v2`,
});
