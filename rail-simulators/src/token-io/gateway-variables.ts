/** The variables by which a gateway finds the simulator of Token.io at its address. */
export const gatewayVariables = (url: string) => ({ TOKEN_IO_URL: url });
