/** The variables by which a gateway finds the simulator of Pix at its address. */
export const gatewayVariables = (url: string) => ({ PIX_URL: `${url}/api/v2` });
