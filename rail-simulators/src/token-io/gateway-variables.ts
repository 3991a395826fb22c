/** The variables with which a gateway finds the Token.io simulator. */
export const gatewayVariables = (url: string) => ({ TOKEN_IO_URL: url });
