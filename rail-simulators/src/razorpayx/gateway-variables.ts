/** The variables by which a gateway finds the simulator of RazorpayX at its address. */
export const gatewayVariables = (url: string) => ({ RAZORPAYX_URL: `${url}/v1` });
