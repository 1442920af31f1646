/**
 * `npm start`. JavaScript, because Node loads its TypeScript stripper (0.1 s) for any file that is not in the compile
 * cache, and the file that turns the cache on never is.
 */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// If the directory is not writable, the server runs without a cache.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)));
await import('../edge/main.ts');
