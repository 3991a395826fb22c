/** The variables by which a gateway finds the simulator of STP at its address. */
export const gatewayVariables = (url: string) => ({ STP_URL: url });
