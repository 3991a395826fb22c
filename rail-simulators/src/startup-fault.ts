/**
 * A fault of the surroundings that keeps a simulator from starting or going on: its message is one sentence for the
 * person who starts it. Never for a bug, which keeps its stack.
 */
export class StartupFault extends Error {}
