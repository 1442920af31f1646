/**
 * The tables as queries see them; the plugin of `open-database.ts` turns these names into snake_case.
 * Objects are JSON text and long texts are packed bytes, the same in SQLite and PostgreSQL; each record's file parses
 * what it reads.
 */
export type Tables = {
  measurements: {
    id: string;
    kind: string;
    createdAt: number;
    startedAt: number | null;
    endedAt: number | null;
    state: string;
    /** Goes up whenever a server takes the measurement; a write that carries an earlier number is refused. */
    fence: number;
    title: string;
    /** What the list's search looks through, in lower case. */
    searchText: string;
    deleteTokenHash: string;
    idempotencyHash: string | null;
    requestHash: string;
    /** The revision of a stored scenario that it used; null for any other. */
    revisionId: string | null;
    /** What lists show of its kind. */
    summary: string;
    /** Outcome of the verdict in it, for the filter; null where it has none. */
    verdict: string | null;
    problem: string | null;
    request: string;
    /** What its kind noted, replaced as a whole. */
    facts: string;
    environment: string | null;
  };
  blocks: {
    measurementId: string;
    blockIndex: number;
    /** What it is about, by its kind; null where its kind does not say. */
    place: number | null;
    body: Uint8Array;
  };
  events: { measurementId: string; id: number; body: string };
  documents: {
    measurementId: string;
    schemaVersion: number;
    body: Uint8Array;
    /** Of the rows that it has in the history; 0 where it has none. */
    figuresVersion: number;
  };
  /** What people wrote on it; none for a blank annotation. */
  annotations: {
    measurementId: string;
    title: string | null;
    note: string;
    /** All of it, tags included, in lower case. */
    searchText: string;
  };
  /** `key` is the tag in lower case. */
  annotationTags: { measurementId: string; place: number; name: string; key: string };
  /** By name, for the filter. A sweep has several. */
  measuredTargets: { measurementId: string; name: string };
  /** What was deleted and can be restored. */
  bin: { measurementId: string; deletedAt: number };
  /** What was restored from the bin, which retention leaves alone. */
  kept: { measurementId: string };
  /** Runs that others of their series are counted from. */
  baselines: { measurementId: string; pinnedAt: number };
  schedules: {
    id: string;
    createdAt: number;
    kind: string;
    title: string;
    request: string;
    requestHash: string;
    tags: string;
    deleteTokenHash: string;
    rhythm: string;
    times: number | null;
    lastDay: string | null;
    state: string;
    nextAt: number | null;
    measured: number;
    lastAt: number | null;
    lastMeasurementId: string | null;
    lastProblem: string | null;
    startedBy: string | null;
    labels: string;
  };
  /** What was measured for a schedule, which may be deleted since. */
  scheduled: { measurementId: string; scheduleId: string };
  /** Hosts besides this machine that may be loaded, until they are withdrawn. */
  permittedTargets: {
    id: string;
    host: string;
    caps: string;
    allowedBy: string;
    allowedAt: number;
    why: string;
  };
  /** The audit log, only ever added to. */
  auditLog: {
    id: string;
    at: number;
    who: string;
    userId: string | null;
    keyName: string | null;
    fromAddress: string | null;
    subject: string | null;
    what: string;
    host: string | null;
    note: string | null;
  };
  /** Ids of what was removed, so that its links answer "gone" rather than "unknown". */
  tombstones: { id: string; deletedAt: number };
  scenarios: {
    id: string;
    changedAt: number;
    /** Its revisions that measurements used are still there. */
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
  /** People who may sign in. Of these and the next three tables better-auth writes what `database/users.ts` does not. */
  users: {
    id: string;
    email: string;
    name: string;
    role: string;
    emailVerified: number;
    image: string | null;
    /** ISO 8601. */
    createdAt: string;
    updatedAt: string;
  };
  sessions: { id: string; userId: string; token: string; expiresAt: string };
  /** Ways to sign in; `credential` is the provider of passwords. */
  accounts: {
    id: string;
    userId: string;
    accountId: string;
    providerId: string;
    /** A salted hash. */
    password: string | null;
    createdAt: string;
    updatedAt: string;
  };
  /** Kept after removal, so that a problem can say why the key no longer works. The user may be gone. */
  apiKeys: {
    id: string;
    hash: string;
    userId: string;
    name: string;
    role: string;
    createdAt: number;
    expiresAt: number | null;
    usedAt: number | null;
    removedAt: number | null;
  };
  /** Who started it; none where nobody was signed in. The user may be gone. */
  starters: { measurementId: string; userId: string };
  /** Processes that measure for a database that several share. */
  runners: {
    name: string;
    /** Another one each time that it starts. */
    session: string;
    labels: string;
    version: string;
    machine: string;
    /** Goes up while it lives. */
    beat: number;
    seenAt: number;
    /** When it was stopped; null while it lives, and for one that was lost. */
    leftAt: number | null;
  };
  /** Of a database that several share: where a measurement is to be measured, and who has it. */
  assignments: {
    measurementId: string;
    labels: string;
    /** The session of the runner that has it; null while it waits for any. */
    session: string | null;
    /** How often it was taken. */
    taken: number;
    /** What somebody wants of the runner that has it. */
    wish: string | null;
  };
  /** One request for several runners. */
  batches: {
    id: string;
    kind: string;
    createdAt: number;
    requestHash: string;
    idempotencyHash: string | null;
  };
  /** The measurements of a batch, deleted ones included. */
  batchSites: { batchId: string; place: number; measurementId: string; labels: string };
};

/** Of the history, whose columns are in `migrations/history-tables.ts`: what a run says of a metric. */
export type FigureTables = {
  metricFigures: {
    measurementId: string;
    place: number;
    question: string;
    metric: string;
    preset: string;
    baseline: number | null;
    ratio: number | null;
    ratioLo: number | null;
    ratioHi: number | null;
    verdict: string;
    /** Of the logarithm of the ratio. */
    withinError: number | null;
    ownVariance: number | null;
    ownDegrees: number | null;
    wideningDrift: number | null;
    wideningTwin: number | null;
    wideningCarryOver: number | null;
    loadClass: string | null;
    targetKind: string | null;
    machine: string | null;
  };
};
