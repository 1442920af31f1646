/** Where the API begins. */
export const apiPrefix = '/api/v1';
