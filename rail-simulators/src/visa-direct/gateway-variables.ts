/** The variables by which a gateway finds the simulator of Visa Direct at its address. */
export const gatewayVariables = (url: string) => ({ VISA_DIRECT_URL: url });
