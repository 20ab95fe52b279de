/** Paths of the report and findings, when nothing else is said. */
export const PATHS = 10;
