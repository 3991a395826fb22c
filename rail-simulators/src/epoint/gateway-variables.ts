/** The variables by which a gateway finds the simulator of Epoint at its address. */
export const gatewayVariables = (url: string) => ({ EPOINT_URL: `${url}/api/1` });
