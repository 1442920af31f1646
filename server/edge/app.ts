import express, { type Express } from 'express';
import { apiPrefix } from '../../shared/api/prefix.ts';
import { demandLink, identify, refuseBadKey } from './middleware/actor.ts';
import { keepAudit } from './middleware/audit.ts';
import { hostGuard } from './middleware/host-guard.ts';
import { jsonBody } from './middleware/json-body.ts';
import { logRequests } from './middleware/log-requests.ts';
import { originGuard } from './middleware/origin-guard.ts';
import { problemHandler } from './middleware/problem-handler.ts';
import { limitRate } from './middleware/rate-limit.ts';
import { assignRequestId } from './middleware/request-id.ts';
import { securityHeaders } from './middleware/security-headers.ts';
import { api, unknownEndpoint, uploads } from './routes/api.ts';
import type { AppParts } from './routes/app-parts.ts';
import { badges } from './routes/badges.ts';
import { batchLinks } from './routes/batch-links.ts';
import { cellLinks } from './routes/cell-links.ts';
import { changeLinks } from './routes/change-links.ts';
import { assets, client, sendClient, unknownAddress } from './routes/client.ts';
import { documentation } from './routes/documentation.ts';
import { embeds } from './routes/embeds.ts';
import { metrics } from './routes/metrics.ts';
import { otherForms } from './routes/other-forms.ts';
import { pageFiles } from './routes/page-files.ts';
import { permalinks } from './routes/permalinks.ts';
import { pictures } from './routes/pictures.ts';
import { revisionLinks } from './routes/revision-links.ts';

/** The whole of what is served over HTTP, in the order in which a request meets it. Does not listen. */
export function createApp(parts: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.set('trust proxy', parts.proxies);

  if (parts.metrics !== null) app.use(parts.metrics.measureRequests);
  app.use(assignRequestId, logRequests(parts.logger), securityHeaders());
  app.use(hostGuard(parts.hostname, parts.publicHost), originGuard);
  app.use('/assets', assets(parts));
  app.use(identify(parts.team), keepAudit(parts.audit));
  app.use(['/api', '/metrics', '/r', '/l', '/s', '/c', '/b'], limitRate(parts.limits.requestsPerMinute));
  app.use(refuseBadKey);
  if (parts.metrics !== null) app.use('/metrics', metrics(parts.metrics));
  app.use(apiPrefix, uploads());
  app.use('/api', jsonBody(parts.limits.bodyBytes), documentation(parts));
  app.use(apiPrefix, api(parts));
  app.use('/api', unknownEndpoint);
  app.use(
    ['/r', '/l', '/s', '/c', '/b'],
    demandLink((response) => sendClient(response, parts.clientDirectory, 401)),
  );
  app.use('/r', badges(parts));
  app.use(['/r', '/l'], pictures(parts), embeds(parts));
  app.use('/r', cellLinks(parts));
  app.use(['/r', '/l'], pageFiles(parts));
  app.use(['/r', '/l'], otherForms(parts), permalinks(parts));
  app.use('/s', revisionLinks(parts));
  app.use('/c', changeLinks(parts));
  app.use('/b', batchLinks(parts));
  app.use(client(parts), unknownAddress(parts));
  app.use(problemHandler(parts.logger));
  return app;
}
