import { Router } from 'express';
import type { AppParts } from './app-parts.ts';
import { sendClient } from './client.ts';

/** `/api/openapi.json`, and the client's page over it at `/api/docs`. */
export function documentation({ version, clientDirectory }: AppParts): Router {
  const router = Router();
  let text: string | null = null;
  router.get('/openapi.json', async (_request, response) => {
    // Describing every schema takes a sixth of a start, and most servers are never asked.
    const { openApi } = await import('./openapi.ts');
    text ??= JSON.stringify(openApi(version));
    response.set('Cache-Control', 'no-cache').type('json').send(text);
  });
  router.get('/docs', (_request, response) => sendClient(response, clientDirectory, 200));
  return router;
}
