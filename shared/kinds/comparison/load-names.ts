/** What is chosen of a load by name, for a form that needs none of the schemas. */

export const presets = ['quick', 'standard', 'thorough'] as const;
export const connectionPolicies = [
  'keep-alive',
  'connection-per-transaction',
  'connection-per-request',
  'requests-per-connection',
] as const;
