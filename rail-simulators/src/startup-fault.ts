/**
 * An error in the environment that prevents a simulator from starting or continuing. The message is one sentence for the user
 * who starts it. Never use it for a bug, which keeps its stack trace.
 */
export class StartupFault extends Error {}
