/** The variables by which a gateway finds the simulator of Adyen at its address. */
export const gatewayVariables = (url: string) => ({ ADYEN_URL: `${url}/v72` });
