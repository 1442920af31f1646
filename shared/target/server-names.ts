/** Servers of this machine that can be started for a run, and the keys that their certificates can have. */
export const serverNames = [
  ...(['nginx', 'apache', 'lighttpd', 'caddy', 'h2o'] as const),
  ...(['haproxy', 'hitch', 'stunnel'] as const),
  ...(['envoy', 'go', 'jdk', 'node'] as const),
] as const;
export type ServerName = (typeof serverNames)[number];
export const serverKeys = [
  ...(['P-256', 'P-384'] as const),
  ...(['RSA-1024', 'RSA-2048', 'RSA-4096'] as const),
  ...(['ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'] as const),
] as const;
export type ServerKey = (typeof serverKeys)[number];
