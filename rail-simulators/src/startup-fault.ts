/**
 * A fault of the environment that prevents a simulator from starting or continuing. The message is one sentence for the
 * person who starts it. Never use it for a bug, which keeps its stack.
 */
export class StartupFault extends Error {}
