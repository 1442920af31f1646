/**
 * The tables as queries see them; the plugin of `open-database.ts` turns these names into snake_case.
 * Objects are JSON text and long texts are packed bytes, the same in SQLite and PostgreSQL; each record's file parses
 * what it reads.
 */
export type Tables = {
  runs: {
    id: string;
    createdAt: number;
    startedAt: number | null;
    endedAt: number | null;
    state: string;
    preset: string;
    transports: string;
    scenarioName: string;
    targetName: string;
    /** What the list's search looks through, in lower case. */
    searchText: string;
    deleteTokenHash: string;
    idempotencyKey: string | null;
    requestHash: string;
    verdict: string | null;
    problem: string | null;
    warnings: string;
    request: string;
    scenario: string;
    plan: string;
    environment: string | null;
    preflight: string | null;
    cache: string | null;
    /** The revision of a stored scenario that it used; null for any other scenario. */
    revisionId: string | null;
  };
  blocks: { runId: string; blockIndex: number; body: Uint8Array };
  events: { runId: string; id: number; body: string };
  documents: { runId: string; schemaVersion: number; body: Uint8Array };
  /** Measurements of the TLS lab: handshakes and primitives. */
  labs: {
    id: string;
    createdAt: number;
    startedAt: number | null;
    endedAt: number | null;
    state: string;
    kind: string;
    title: string;
    deleteTokenHash: string;
    idempotencyKey: string | null;
    requestHash: string;
    problem: string | null;
    request: string;
  };
  labEvents: { runId: string; id: number; body: string };
  labDocuments: { runId: string; schemaVersion: number; body: Uint8Array };
  /** Ids of runs and labs that were deleted, so that their links answer "gone" rather than "unknown". */
  tombstones: { id: string; deletedAt: number };
  scenarios: {
    id: string;
    changedAt: number;
    /** Its revisions that runs used are still there. */
    deletedAt: number | null;
    /** Number of the newest revision, from 1; the columns after it describe that one. */
    newest: number;
    name: string;
    description: string;
    steps: number;
    secrets: string;
  };
  revisions: {
    id: string;
    scenarioId: string;
    number: number;
    createdAt: number;
    origin: string;
    body: Uint8Array;
  };
  migrations: { version: number; appliedAt: number };
};
