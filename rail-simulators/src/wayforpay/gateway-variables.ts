/** The variables with which a gateway finds the WayForPay simulator. */
export const gatewayVariables = (url: string) => ({ WAYFORPAY_URL: url });
