/** The variables by which a gateway finds the simulator of Freedom Pay at its address. */
export const gatewayVariables = (url: string) => ({ FREEDOM_PAY_URL: url });
