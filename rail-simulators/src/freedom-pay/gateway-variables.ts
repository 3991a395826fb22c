/** The variables with which a gateway finds the Freedom Pay simulator. */
export const gatewayVariables = (url: string) => ({ FREEDOM_PAY_URL: url });
