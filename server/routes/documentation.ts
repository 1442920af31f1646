import express, { Router } from 'express';
import { absolutePath } from 'swagger-ui-dist';
import type { AppParts } from './app-parts.ts';
import { openApi } from './openapi.ts';

/** `/api/openapi.json`, and Swagger UI over it at `/api/docs`, from local files. */
export function documentation({ version }: AppParts): Router {
  const router = Router();
  const text = JSON.stringify(openApi(version));
  router.get('/openapi.json', (_request, response) => {
    response.set('Cache-Control', 'no-cache').type('json').send(text);
  });
  router.get('/docs', (_request, response) => {
    response.set('Cache-Control', 'no-cache').type('html').send(page);
  });
  router.get('/docs/start.js', (_request, response) => {
    response.set('Cache-Control', 'no-cache').type('js').send(script);
  });
  router.use('/docs', express.static(absolutePath(), { index: false, redirect: false, maxAge: '1d' }));
  return router;
}

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>TLS Toll API</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/api/docs/swagger-ui.css">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <noscript>This page needs JavaScript; the same is in <a href="/api/openapi.json">openapi.json</a>.</noscript>
    <script src="/api/docs/swagger-ui-bundle.js"></script>
    <script src="/api/docs/start.js"></script>
  </body>
</html>
`;

const script = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#swagger-ui', deepLinking: true });\n`;
