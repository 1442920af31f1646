import { z } from 'zod';

/** How pods of k6 reach the machine that measures. The order desk listens on that port. */
export type DeskPlace = { host: string; port: number };

/** How k6 gets to work in Kubernetes. */
export type K6Cluster = { desk: DeskPlace; image: string };

const form =
  'TLS_TOLL_K6_DESK is the address where pods of k6 reach this machine, such as toll.example.com:7310';

/** `toll.example.com:7310`, `10.1.0.7:7310`, or `[fd00::7]:7310`. */
export const deskPlaceSchema = z
  .string()
  .regex(/^([A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:]{2,39}\]):\d{1,5}$/, form)
  .transform((text): DeskPlace => {
    const colon = text.lastIndexOf(':');
    return { host: text.slice(0, colon), port: Number(text.slice(colon + 1)) };
  })
  .refine(({ port }) => port >= 1 && port <= 65535, form);
