import { z } from 'zod';
import { metricGroups, metricIds } from './metric.ts';

export const metricIdSchema = z.enum(metricIds);

export const metricGroupSchema = z.enum(metricGroups);
