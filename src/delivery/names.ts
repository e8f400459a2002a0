/** Name under which the measuring server is configured. */
export const SERVER = 'delivery';
export const TOOL = 'answer';
