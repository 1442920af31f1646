import { config } from 'zod';

/**
 * Zod makes code of its schemas where it can. The policy of the page forbids that, and a browser reports the attempt. It is made
 * with the first schema, so this is imported before all of them.
 */
config({ jitless: true });
