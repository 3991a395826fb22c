/** The variables by which a gateway finds the simulator of Mastercard Send at its address. */
export const gatewayVariables = (url: string) => ({ MASTERCARD_SEND_URL: `${url}/send` });
