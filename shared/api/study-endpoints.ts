import { studyReportSchema } from '../studies/study-report.ts';
import type { Endpoint } from './endpoint.ts';

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
