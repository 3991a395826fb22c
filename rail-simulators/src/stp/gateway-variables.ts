/** The variables with which a gateway finds the STP simulator. */
export const gatewayVariables = (url: string) => ({ STP_URL: url });
