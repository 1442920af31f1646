/** Endpoints that are loaded with the first call: a page is shown before their schemas are set up. */
export const late = {
  server: async () => (await import('../../shared/api/server-endpoints.ts')).serverEndpoints,
  scenario: async () => (await import('../../shared/api/scenario-endpoints.ts')).scenarioEndpoints,
  target: async () => (await import('../../shared/api/target-endpoints.ts')).targetEndpoints,
};
