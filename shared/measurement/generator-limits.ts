/** Without Zod, because the first page sets up no schema. */

/** Of one measurement. */
export const mostGeneratorHosts = 16;

/** Of one measurement, where TLS_TOLL_PODS_MOST does not say it. */
export const usualMostPods = 10;
