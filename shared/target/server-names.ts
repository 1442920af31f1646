/** Servers of this machine that can be started for a run, and the keys that their certificates can have. */
export const serverNames = ['nginx', 'apache', 'lighttpd', 'haproxy', 'envoy', 'go', 'node'] as const;
export type ServerName = (typeof serverNames)[number];
export const serverKeys = ['P-256', 'RSA-1024', 'RSA-2048', 'RSA-4096'] as const;
export type ServerKey = (typeof serverKeys)[number];
