/** The variables with which a gateway finds the Pix simulator. */
export const gatewayVariables = (url: string) => ({ PIX_URL: `${url}/api/v2` });
