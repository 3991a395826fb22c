/** The variables with which a gateway finds the Visa Direct simulator. */
export const gatewayVariables = (url: string) => ({ VISA_DIRECT_URL: url });
