/** Endpoints that are loaded with the first call: a page is shown before their schemas are set up. */
export const late = {
  server: async () => (await import('../../shared/api/server-endpoints.ts')).serverEndpoints,
  batch: async () => (await import('../../shared/api/batch-endpoints.ts')).batchEndpoints,
  scenario: async () => (await import('../../shared/api/scenario-endpoints.ts')).scenarioEndpoints,
  target: async () => (await import('../../shared/api/target-endpoints.ts')).targetEndpoints,
};
