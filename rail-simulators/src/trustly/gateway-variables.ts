/** The variables with which a gateway finds the Trustly simulator. */
export const gatewayVariables = (url: string) => ({ TRUSTLY_URL: `${url}/api/1` });
