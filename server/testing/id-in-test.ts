/** The ID of a measurement that is stored nowhere. */
export const idInTest = '0'.repeat(22);
