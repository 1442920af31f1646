import { serverNames } from '../../target/server-options.ts';
import type { FactorPlanInput } from './servers-result.ts';

/** Plans with a name. */
export const serversPresets = {
  /** The most important factors, in minutes: 3 servers × 2 keys × connections kept or not: 12 cells. */
  quick: {
    shape: 'grid',
    levels: {
      server: ['nginx', 'apache', 'lighttpd'],
      key: ['P-256', 'RSA-2048'],
      keepAlive: [true, false],
    },
  },
  /** Cost of a new connection on every server, by the key of its certificate: 2 cells each. */
  keys: {
    shape: 'grid',
    levels: { server: [...serverNames], key: ['P-256', 'RSA-2048'], keepAlive: [false] },
  },
  /** 3 servers × 2 ciphers × 3 keys × connections kept or not × 3 concurrencies: 108 cells. */
  servers: {
    shape: 'grid',
    levels: {
      server: ['nginx', 'apache', 'lighttpd'],
      cipher: ['AES-128-GCM', 'CHACHA20-POLY1305'],
      key: ['P-256', 'RSA-2048', 'RSA-4096'],
      keepAlive: [true, false],
      concurrency: [1, 32, 320],
    },
  },
  /** The study of 2011 with ciphers of today: RC4 is gone. 5,496 bytes, sequential and 320 at a time. */
  'malmgren-2011': {
    shape: 'grid',
    base: { document: 5496 },
    levels: {
      server: ['nginx', 'apache', 'lighttpd'],
      cipher: ['AES-256-GCM', 'CHACHA20-POLY1305'],
      key: ['RSA-1024', 'RSA-2048', 'RSA-4096'],
      keepAlive: [true, false],
      concurrency: [1, 320],
    },
  },
} satisfies Record<string, FactorPlanInput>;

export type ServersPreset = keyof typeof serversPresets;
