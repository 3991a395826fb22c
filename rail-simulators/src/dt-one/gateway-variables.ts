/** The variables by which a gateway finds the simulator of DT One at its address. */
export const gatewayVariables = (url: string) => ({ DT_ONE_URL: `${url}/v1` });
