/** The variables with which a gateway finds the VoPay simulator. */
export const gatewayVariables = (url: string) => ({ VOPAY_URL: `${url}/api/v2` });
