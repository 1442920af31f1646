/** How often a page asks while something is measured: to answer it is work beside that. What is measured tells of itself by events. */
export const besideMs = 15_000;
