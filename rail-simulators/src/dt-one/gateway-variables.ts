/** The variables with which a gateway finds the DT One simulator. */
export const gatewayVariables = (url: string) => ({ DT_ONE_URL: `${url}/v1` });
