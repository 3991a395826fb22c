/** The variables by which a gateway finds the simulator of WayForPay at its address. */
export const gatewayVariables = (url: string) => ({ WAYFORPAY_URL: url });
