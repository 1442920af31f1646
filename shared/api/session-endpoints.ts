import { z } from 'zod';
import { permalinkIdSchema } from '../base/units.ts';
import { billRequestSchema, billSchema } from '../kinds/comparison/bill.ts';
import { metricIds } from '../kinds/comparison/metric.ts';
import { seriesSchema } from '../kinds/comparison/past.ts';
import {
  explanationSchema,
  resultChangesSchema,
  resultPairSchema,
} from '../kinds/comparison/result-changes.ts';
import { predictionsSchema } from '../kinds/prices/predictions.ts';
import { newestListsSchema, priceUnits } from '../kinds/prices/prices.ts';
import { trafficBillSchema, trafficRequestSchema } from '../kinds/prices/traffic.ts';
import { cellDocumentSchema } from '../kinds/servers/servers-result.ts';
import { createdMeasurementSchema } from '../measurement/measurement.ts';
import { measurementDocumentSchema } from '../results/kinds.ts';
import { shownMeasurementSchema } from '../results/shown-measurement.ts';
import { studyReportSchema } from '../studies/study-report.ts';
import {
  accountSchema,
  apiKeySchema,
  createdApiKeySchema,
  createdUserSchema,
  identitySchema,
  newApiKeySchema,
  newUserSchema,
  passwordChangeSchema,
  providerSignInSchema,
  providerStartSchema,
  signInSchema,
  userChangeSchema,
  userSchema,
  userWithPasswordSchema,
} from '../team/team.ts';
import { type Endpoint, idParams } from './endpoint.ts';

/** Signing in and out, and the password. A server without sign-in refuses all but the first. */

export const sessionEndpoints = {
  showSession: {
    method: 'get',
    path: '/session',
    access: 'anyone',
    summary: 'Who is signed in',
    response: identitySchema,
  },
  signIn: {
    method: 'post',
    path: '/session',
    access: 'anyone',
    act: 'Signed in',
    summary: 'Sign in with a password; the answer sets the cookie of the session',
    body: signInSchema,
    response: identitySchema,
  },
  startProviderSignIn: {
    method: 'post',
    path: '/session/provider',
    access: 'anyone',
    summary: 'Begin to sign in with the identity provider (OpenID Connect); the answer says where to go',
    body: providerSignInSchema,
    response: providerStartSchema,
  },
  finishProviderSignIn: {
    method: 'get',
    path: '/session/provider/callback',
    access: 'anyone',
    act: 'Signed in with the identity provider',
    summary: 'Where the identity provider sends the browser back to; sets the cookie of the session',
    status: 303,
    response: null,
  },
  signOut: {
    method: 'delete',
    path: '/session',
    access: 'anyone',
    act: 'Signed out',
    summary: 'Sign out: the session ends on the server too',
    response: null,
  },
  showAccount: {
    method: 'get',
    path: '/account',
    access: 'reader',
    summary: 'Whether you have a password',
    response: accountSchema,
  },
  changePassword: {
    method: 'put',
    path: '/session/password',
    access: 'reader',
    act: 'Changed their password',
    summary: 'Change your password; every other session of yours ends',
    body: passwordChangeSchema,
    response: null,
  },
} as const satisfies Record<string, Endpoint>;

/** The people who may sign in. A server without sign-in has none. */

export const teamEndpoints = {
  listUsers: {
    method: 'get',
    path: '/users',
    access: 'admin',
    summary: 'Users, by email address',
    response: z.array(userSchema),
  },
  createUser: {
    method: 'post',
    path: '/users',
    access: 'admin',
    act: 'Added a user',
    summary: 'Add a user; the answer has the password, if one was made, which is shown once',
    body: newUserSchema,
    status: 201,
    response: createdUserSchema,
  },
  changeUser: {
    method: 'patch',
    path: '/users/:id',
    access: 'admin',
    act: 'Changed a role',
    summary: 'Change the role of a user',
    params: idParams,
    body: userChangeSchema,
    response: userSchema,
  },
  resetPassword: {
    method: 'post',
    path: '/users/:id/password',
    access: 'admin',
    act: 'Made a new password',
    summary: 'Make a new password for a user, whose sessions end; it is shown once',
    params: idParams,
    response: userWithPasswordSchema,
  },
  deleteUser: {
    method: 'delete',
    path: '/users/:id',
    access: 'admin',
    act: 'Deleted a user',
    summary: 'Delete a user with their sessions and API keys; what they measured stays',
    params: idParams,
    response: null,
  },
} as const satisfies Record<string, Endpoint>;

/** API keys. A server without sign-in has none. */

export const keyEndpoints = {
  listKeys: {
    method: 'get',
    path: '/keys',
    access: 'reader',
    summary: 'Your API keys; for admins, everybody’s',
    response: z.array(apiKeySchema),
  },
  createKey: {
    method: 'post',
    path: '/keys',
    access: 'reader',
    act: 'Created an API key',
    summary: 'Create an API key, with a role up to your own; it is shown once',
    body: newApiKeySchema,
    status: 201,
    response: createdApiKeySchema,
  },
  deleteKey: {
    method: 'delete',
    path: '/keys/:id',
    access: 'reader',
    act: 'Deleted an API key',
    summary: 'Delete one of your API keys; admins can delete any',
    params: idParams,
    response: null,
  },
} as const satisfies Record<string, Endpoint>;

const seriesMetricSchema = z
  .string()
  .refine((name) => metricIds.some((id) => id === name) || priceUnits.has(name), {
    error: 'is the ID of a metric, or of an item of a price list',
  });

/** Endpoints of measurements of the kind comparison, which users call runs. */
export const runEndpoints = {
  showSeries: {
    method: 'get',
    path: '/measurements/:id/series',
    access: 'reader',
    summary:
      'What became of a metric over the runs with the same target, scenario and plan, or of an item over the price lists of one server, and its steps',
    params: idParams,
    /** Default: `cpu_at_load`, or `request`. */
    query: z.strictObject({ metric: seriesMetricSchema.optional() }),
    response: seriesSchema,
  },
  listPrices: {
    method: 'get',
    path: '/measurements/:id/prices',
    access: 'reader',
    summary: 'The newest price list of each server that was started on the machine of a measurement',
    params: idParams,
    response: newestListsSchema,
  },
  pinBaseline: {
    method: 'put',
    path: '/measurements/:id/baseline',
    access: 'operator',
    act: 'Pinned a reference',
    summary: 'Pin a run as the baseline of its series, in place of the one before',
    params: idParams,
    response: null,
  },
  unpinBaseline: {
    method: 'delete',
    path: '/measurements/:id/baseline',
    access: 'operator',
    act: 'Unpinned a reference',
    summary: 'Unpin the baseline of a series',
    params: idParams,
    response: null,
  },
  showPredictions: {
    method: 'get',
    path: '/measurements/:id/predictions',
    access: 'reader',
    summary: 'Later runs of the server of a price list, each beside what the list predicts for it',
    params: idParams,
    response: predictionsSchema,
  },
  showConfiguration: {
    method: 'get',
    path: '/measurements/:id/configuration',
    access: 'link',
    summary: 'Configuration of a started server, for each side',
    params: idParams,
    response: 'text',
  },
  explainRun: {
    method: 'post',
    path: '/measurements/:id/explanation',
    access: 'operator',
    act: 'Started a run',
    summary: 'Queue an explanation of where the CPU of a run goes: the same sides, target and load',
    params: idParams,
    status: 201,
    response: createdMeasurementSchema,
  },
  showExplanation: {
    method: 'get',
    path: '/measurements/:id/explanation',
    access: 'link',
    summary: 'An explanation beside the run that it explains: whether they agree, and what has changed',
    params: idParams,
    query: z.strictObject({ explain: permalinkIdSchema }),
    response: explanationSchema,
  },
  billRun: {
    method: 'post',
    path: '/measurements/:id/bill',
    access: 'link',
    summary: 'What a load costs per month on both sides of a run: cores, bytes sent, and money',
    params: idParams,
    body: billRequestSchema,
    response: billSchema,
  },
} as const satisfies Record<string, Endpoint>;

/** Endpoints of the documents of measurements. */

export const documentEndpoints = {
  showMeasurement: {
    method: 'get',
    path: '/measurements/:id',
    access: 'link',
    summary: 'The document of a measurement, as at its permalink',
    params: idParams,
    response: measurementDocumentSchema,
  },
  showPage: {
    method: 'get',
    path: '/measurements/:id/page',
    access: 'link',
    summary:
      'What the page of a measurement shows of its document: of a run, without histograms and single slots',
    params: idParams,
    response: shownMeasurementSchema,
  },
  showChanges: {
    method: 'get',
    path: '/changes/:pair',
    access: 'link',
    summary:
      'What changed from one finished run to another, as at /c/{from}..{to}; of two sweeps, their page',
    params: z.strictObject({ pair: resultPairSchema }),
    response: resultChangesSchema,
  },
  showCell: {
    method: 'get',
    path: '/measurements/:id/cells/:cell',
    access: 'link',
    summary:
      'One cell of a sweep over servers: its figures, its visits, and what ab would have printed of it',
    params: z.strictObject({ id: permalinkIdSchema, cell: z.string().max(200) }),
    response: cellDocumentSchema,
  },
  billTraffic: {
    method: 'post',
    path: '/measurements/:id/traffic-bill',
    access: 'link',
    summary: 'Cores, memory, bandwidth, latency, and money of a traffic over HTTP and HTTPS, by a price list',
    params: idParams,
    body: trafficRequestSchema,
    response: trafficBillSchema,
  },
} as const satisfies Record<string, Endpoint>;

/** The claims of the five studies and of today's field. */

export const studyEndpoints = {
  showStudies: {
    method: 'get',
    path: '/studies',
    access: 'reader',
    summary:
      'Every claim of the studies with today’s figure, as at /studies, and the measurements that answer them',
    response: studyReportSchema,
  },
} as const satisfies Record<string, Endpoint>;
