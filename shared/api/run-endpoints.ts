import { z } from 'zod';
import { permalinkIdSchema } from '../base/units.ts';
import { billRequestSchema, billSchema } from '../kinds/comparison/bill.ts';
import { explanationSchema } from '../kinds/comparison/explanation.ts';
import { metricIdSchema } from '../kinds/comparison/metric-schema.ts';
import { seriesSchema } from '../kinds/comparison/series.ts';
import { createdMeasurementSchema } from '../measurement/measurement.ts';
import { type Endpoint, idParams } from './endpoint.ts';

/** What only measurements of the kind comparison have, which users call runs. */

export const runEndpoints = {
  showSeries: {
    method: 'get',
    path: '/measurements/:id/series',
    access: 'reader',
    summary: 'What became of a metric over the runs with the same target, scenario and plan, and its steps',
    params: idParams,
    query: z.strictObject({ metric: metricIdSchema.default('cpu_at_load') }),
    response: seriesSchema,
  },
  pinBaseline: {
    method: 'put',
    path: '/measurements/:id/baseline',
    access: 'operator',
    act: 'Pinned a baseline',
    summary: 'Pin a run as the baseline of its series, in place of the one before',
    params: idParams,
    response: null,
  },
  unpinBaseline: {
    method: 'delete',
    path: '/measurements/:id/baseline',
    access: 'operator',
    act: 'Unpinned a baseline',
    summary: 'Unpin the baseline of a series',
    params: idParams,
    response: null,
  },
  showConfiguration: {
    method: 'get',
    path: '/measurements/:id/configuration',
    access: 'link',
    summary: 'Configuration of a started server, for every listener',
    params: idParams,
    response: 'text',
  },
  explainRun: {
    method: 'post',
    path: '/measurements/:id/explanation',
    access: 'operator',
    act: 'Started a measurement',
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
    summary: 'What a load costs in a month on both sides of a run: cores, bytes sent, and money',
    params: idParams,
    body: billRequestSchema,
    response: billSchema,
  },
} as const satisfies Record<string, Endpoint>;
