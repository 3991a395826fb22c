/** The variables with which a gateway finds the Mastercard Send simulator. */
export const gatewayVariables = (url: string) => ({ MASTERCARD_SEND_URL: `${url}/send` });
