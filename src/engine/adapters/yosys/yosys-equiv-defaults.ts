export const DEPTH = 12;
