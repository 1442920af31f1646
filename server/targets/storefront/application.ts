import express, { type ErrorRequestHandler, type Express, type RequestHandler, type Response } from 'express';
import type { AccessLog } from './access-log.ts';
import { type Asset, loadAssets } from './assets.ts';
import { receive, send } from './exchange.ts';
import { renderAccountPage } from './pages/account-page.ts';
import { renderHomePage } from './pages/home-page.ts';
import { renderNoticePage } from './pages/notice-page.ts';
import { renderNothingFoundPage, renderResultsPage, renderSearchPage } from './pages/search-page.ts';
import { categoryOf, parseSearchForm } from './search-form-fields.ts';
import { parseSearchTerms } from './search-terms.ts';
import type { Store } from './store.ts';

/** A page may be kept but is asked for again; what it shows is not for a cache that people share. */
const page = 'private, no-cache';
const sensitive = 'no-store';

const popularOnHome = 16;
const reviewsOnHome = 8;
const popularOnSearch = 10;
const popularInsteadOfNothing = 12;
const ordersOnAccount = 80;
const mostResults = 20;

/** The shop. It knows nothing of the transport that it is served over. */
export function createApplication(store: Store, accessLog: AccessLog): Express {
  const application = express();
  application.disable('x-powered-by');
  application.disable('etag');
  application.set('query parser', 'simple');
  application.enable('strict routing');
  application.enable('case sensitive routing');

  application.use(receive(accessLog));
  application.route('/').get(home(store)).all(only('GET, HEAD'));
  application
    .route('/search')
    .get(searchForm(store))
    .post(express.urlencoded({ extended: false, limit: '4kb', parameterLimit: 10 }), search(store))
    .all(only('GET, HEAD, POST'));
  application.route('/account').get(account(store)).all(only('GET, HEAD'));
  for (const [path, asset] of loadAssets()) {
    application.route(path).get(sendAsset(asset)).all(only('GET, HEAD'));
  }
  application.use((_request, response) => {
    notice(response, 404, 'Not found', 'There is nothing at this address.');
  });
  application.use(failed);
  return application;
}

function home(store: Store): RequestHandler {
  return async (_request, response) => {
    const [categories, popular, reviews] = await Promise.all([
      store.productCategoryList(),
      store.productsMostPopular(popularOnHome),
      store.reviewsLatest(reviewsOnHome),
    ]);
    sendPage(response, renderHomePage(categories, popular, reviews));
  };
}

function searchForm(store: Store): RequestHandler {
  return async (request, response) => {
    const category = categoryOf(request.query.category);
    const [categories, popular] = await Promise.all([
      store.productCategoryList(),
      store.productsMostPopular(popularOnSearch),
    ]);
    sendPage(response, renderSearchPage(categories, popular, category));
  };
}

function search(store: Store): RequestHandler {
  return async (request, response) => {
    const form = parseSearchForm(request.body);
    if ('mistake' in form) {
      notice(response, form.status, 'Search', form.mistake);
      return;
    }
    const [categories, found] = await Promise.all([
      store.productCategoryList(),
      store.productSearch({ ...parseSearchTerms(form.query), category: form.category, limit: mostResults }),
    ]);
    if (found.hits > 0) {
      sendPage(response, renderResultsPage(categories, form, found));
    } else {
      const popular = await store.productsMostPopular(popularInsteadOfNothing);
      sendPage(response, renderNothingFoundPage(categories, form, popular));
    }
  };
}

function account(store: Store): RequestHandler {
  return async (_request, response) => {
    const [categories, ordered] = await Promise.all([
      store.productCategoryList(),
      store.productsMostPopular(ordersOnAccount),
    ]);
    sendPage(response, renderAccountPage(categories, ordered), sensitive);
  };
}

function sendAsset({ body, type, cacheControl, etag }: Asset): RequestHandler {
  return (request, response) => {
    response.setHeader('ETag', etag);
    response.setHeader('Cache-Control', cacheControl);
    if (request.fresh) send(response, 304, null);
    else send(response, 200, body, { 'Content-Type': type });
  };
}

function only(methods: string): RequestHandler {
  return (request, response) => {
    response.setHeader('Allow', methods);
    notice(response, 405, 'Method not allowed', `This address does not answer to ${request.method}.`);
  };
}

/** Express tells an error handler by its four parameters. */
const failed: ErrorRequestHandler = (error, _request, response, next) => {
  if (response.headersSent) return next(error);
  const status = statusOf(error);
  if (status === 413) return notice(response, 413, 'Too large', 'The form is larger than 4 kB.');
  if (status === 415) return notice(response, 415, 'Not a form', 'The form has to be sent in UTF-8.');
  if (status < 500) return notice(response, 400, 'Bad request', 'The request cannot be understood.');
  console.error(`The storefront failed: ${error instanceof Error ? error.message : String(error)}`);
  return notice(response, 500, 'Closed for a moment', 'The shop cannot read its goods. Try again.');
};

function statusOf(error: unknown): number {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
  return status >= 400 && status < 500 ? status : 500;
}

function notice(response: Response, status: number, title: string, sentence: string): void {
  sendPage(response, renderNoticePage(title, sentence), page, status);
}

function sendPage(response: Response, html: string, cacheControl = page, status = 200): void {
  send(response, status, Buffer.from(html), {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': cacheControl,
  });
}
