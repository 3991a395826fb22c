/** The variables with which a gateway finds the Epoint simulator. */
export const gatewayVariables = (url: string) => ({ EPOINT_URL: `${url}/api/1` });
