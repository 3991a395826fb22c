/** The variables with which a gateway finds the RazorpayX simulator. */
export const gatewayVariables = (url: string) => ({ RAZORPAYX_URL: `${url}/v1` });
