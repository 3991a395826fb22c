/** The variables by which a gateway finds the simulator of VoPay at its address. */
export const gatewayVariables = (url: string) => ({ VOPAY_URL: `${url}/api/v2` });
