/** The variables with which a gateway finds the Adyen simulator. */
export const gatewayVariables = (url: string) => ({ ADYEN_URL: `${url}/v72` });
