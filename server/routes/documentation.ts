import express, { Router } from 'express';
import { absolutePath } from 'swagger-ui-dist';
import type { AppParts } from './app-parts.ts';
import { sendClient } from './client.ts';
import { openApi } from './openapi.ts';

/** `/api/openapi.json`, the files of Swagger UI, and the client's page over both at `/api/docs`. */
export function documentation({ version, clientDirectory }: AppParts): Router {
  const router = Router();
  const text = JSON.stringify(openApi(version));
  router.get('/openapi.json', (_request, response) => {
    response.set('Cache-Control', 'no-cache').type('json').send(text);
  });
  router.get('/docs', (_request, response) => sendClient(response, clientDirectory, 200));
  router.use('/docs', express.static(absolutePath(), { index: false, redirect: false, maxAge: '1d' }));
  return router;
}
