/** Without Zod, because the first page sets up no schema. */

/** Of one measurement. */
export const mostGeneratorHosts = 16;
