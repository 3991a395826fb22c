/** The variables by which a gateway finds the simulator of Trustly at its address. */
export const gatewayVariables = (url: string) => ({ TRUSTLY_URL: `${url}/api/1` });
