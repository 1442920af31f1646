import * as column from './columns.ts';

const { key, text, textOrNull, integer, integerOrNull, time, timeOrNull, bytes } = column;
const { eachMeasurement, ofMeasurement } = column;

/**
 * The tables of 0.1.0, in the order in which they are made. Once it is released, nothing here changes. Objects are JSON text and
 * long texts are packed bytes, the same in SQLite and PostgreSQL; each record's file parses what it reads.
 */
export const firstTables = {
  scenarios: {
    id: key,
    changedAt: time,
    /** Its revisions that measurements used are still there. */
    deletedAt: timeOrNull,
    /** Number of the newest revision, from 1; the columns after it describe that one. */
    newest: integer,
    name: text,
    description: text,
    steps: integer,
    secrets: text,
  },
  /** They never change. */
  revisions: {
    id: key,
    scenarioId: column.ofScenario,
    number: integer,
    createdAt: time,
    origin: text,
    body: bytes,
  },
  /** Narrow columns come first: SQLite then reads a row of the list without touching the pages of the wide ones. */
  measurements: {
    id: key,
    kind: text,
    createdAt: time,
    startedAt: timeOrNull,
    endedAt: timeOrNull,
    state: text,
    /** Outcome of the verdict in its summary, for the filter; null where it has none. */
    verdict: textOrNull,
    /** The finished measurement that is part of this one; null where none is. */
    continues: textOrNull,
    fence: column.fence,
    title: text,
    /** Text for the list's search, in lower case. */
    searchText: text,
    deleteTokenHash: text,
    idempotencyHash: column.uniqueTextOrNull,
    requestHash: text,
    /** The revision of a stored scenario that it used. Its own copy of the scenario makes a constraint needless. */
    revisionId: textOrNull,
    /** Columns of its kind in lists. */
    summary: text,
    problem: textOrNull,
    request: text,
    /** Facts that its kind noted, replaced as a whole. */
    facts: text,
    environment: textOrNull,
  },
  /** Ids of what was removed, so that its links answer "gone" rather than "unknown". */
  tombstones: { id: key, deletedAt: time },
  blocks: {
    measurementId: ofMeasurement,
    blockIndex: integer,
    body: bytes,
    /** Selects the blocks of one cell without reading all others; null if its kind gives no place. */
    place: integerOrNull,
  },
  events: { measurementId: ofMeasurement, id: integer, body: text },
  documents: {
    measurementId: eachMeasurement,
    schemaVersion: integer,
    /** Version of its rows in the history; 0 if it has none. */
    figuresVersion: integer,
    body: bytes,
  },
  /** One request for several runners. */
  batches: {
    id: key,
    kind: text,
    createdAt: time,
    requestHash: text,
    idempotencyHash: column.uniqueTextOrNull,
  },
  /** Its measurements, which are not referenced: a site whose measurement was deleted is still shown. */
  batchSites: {
    batchId: column.ofBatch,
    place: integer,
    measurementId: column.uniqueText,
    labels: text,
  },
  /**
   * Texts that people wrote on a measurement; no row for a blank annotation. These, the bin and the filters of the list have narrow
   * tables of their own, because SQLite would read a column behind the wide ones of `measurements` through all their pages.
   */
  annotations: {
    measurementId: eachMeasurement,
    title: textOrNull,
    note: text,
    /** All of it, tags included, in lower case. */
    searchText: text,
  },
  /** `key` is the tag in lower case. */
  annotationTags: { measurementId: ofMeasurement, place: integer, name: text, key: text },
  /** By name, for the filter. A sweep has several. */
  measuredTargets: { measurementId: ofMeasurement, name: text },
  /** Deleted measurements that can be restored. */
  bin: { measurementId: eachMeasurement, deletedAt: time },
  /** Measurements restored from the bin. Retention keeps them. */
  kept: { measurementId: eachMeasurement },
  /** Pinned runs, which others of their series are counted from. */
  baselines: { measurementId: eachMeasurement, pinnedAt: time },
  /**
   * Loads that runs found, by question, machine and software, for later runs. They are not part of the run that found them:
   * deleting the run keeps them.
   */
  loads: { key, users: integer, sides: text, runId: text, at: time },
  schedules: {
    id: key,
    createdAt: time,
    kind: text,
    title: text,
    request: text,
    requestHash: text,
    tags: text,
    /** That the runner of its measurements must have. */
    labels: text,
    /** The user who made it, who counts as the starter of its measurements. */
    startedBy: textOrNull,
    deleteTokenHash: text,
    rhythm: text,
    times: integerOrNull,
    lastDay: textOrNull,
    state: text,
    nextAt: timeOrNull,
    measured: integer,
    lastAt: timeOrNull,
    lastMeasurementId: column.lastMeasurement,
    lastProblem: textOrNull,
  },
  /** Measurements made for a schedule, which may have been deleted since. */
  scheduled: { measurementId: eachMeasurement, scheduleId: text },
  /** Processes that measure for a database that several share. */
  runners: {
    name: key,
    /** Another one each time that it starts. */
    session: column.uniqueText,
    labels: text,
    version: text,
    machine: text,
    /** Goes up while it lives. */
    beat: integer,
    seenAt: time,
    /** When it was stopped; null while it lives, and for one that was lost. */
    leftAt: timeOrNull,
  },
  /** Runner of a measurement, and the labels that it must have, in a database that several processes share. */
  assignments: {
    measurementId: eachMeasurement,
    labels: text,
    /** The session of the runner that has it; null while it waits for any. */
    session: textOrNull,
    /** How often it was taken. */
    taken: integer,
    /** Request to the runner that has it. */
    wish: textOrNull,
  },
  /**
   * People who may sign in. These and the next three tables have the columns that better-auth reads and writes: the same types in
   * SQLite and PostgreSQL, with times as ISO 8601 and truth as 1 and 0.
   */
  users: {
    id: key,
    email: column.uniqueText,
    name: text,
    role: text,
    emailVerified: integer,
    image: textOrNull,
    createdAt: text,
    updatedAt: text,
  },
  sessions: {
    id: key,
    userId: column.ofUser,
    token: column.uniqueText,
    expiresAt: text,
    ipAddress: textOrNull,
    userAgent: textOrNull,
    createdAt: text,
    updatedAt: text,
  },
  /** Ways to sign in; `credential` is the provider of passwords. */
  accounts: {
    id: key,
    userId: column.ofUser,
    accountId: text,
    providerId: text,
    /** A salted hash. */
    password: textOrNull,
    accessToken: textOrNull,
    refreshToken: textOrNull,
    idToken: textOrNull,
    accessTokenExpiresAt: textOrNull,
    refreshTokenExpiresAt: textOrNull,
    scope: textOrNull,
    createdAt: text,
    updatedAt: text,
  },
  verifications: {
    id: key,
    identifier: text,
    value: text,
    expiresAt: text,
    createdAt: text,
    updatedAt: text,
  },
  /** Who started it; none where nobody was signed in. The user may be gone. */
  starters: { measurementId: eachMeasurement, userId: text },
  /** Kept after removal, so that a problem can say why the key no longer works. The user may be gone. */
  apiKeys: {
    id: key,
    hash: column.uniqueText,
    userId: text,
    name: text,
    role: text,
    createdAt: time,
    expiresAt: timeOrNull,
    usedAt: timeOrNull,
    removedAt: timeOrNull,
  },
  /** Hosts besides this machine that may be loaded, until they are withdrawn. */
  permittedTargets: {
    id: key,
    host: column.uniqueText,
    caps: text,
    allowedBy: text,
    allowedAt: time,
    why: text,
  },
  /** Only ever added to. */
  auditLog: {
    id: key,
    at: time,
    who: text,
    what: text,
    host: textOrNull,
    note: textOrNull,
    userId: textOrNull,
    keyName: textOrNull,
    fromAddress: textOrNull,
    subject: textOrNull,
  },
} satisfies Record<string, Record<string, column.Column<unknown>>>;

export type TableName = keyof typeof firstTables;

/** Primary keys of several columns. */
export const compositeKeys: { [Table in TableName]?: (keyof (typeof firstTables)[Table])[] } = {
  blocks: ['measurementId', 'blockIndex'],
  events: ['measurementId', 'id'],
  batchSites: ['batchId', 'place'],
  annotationTags: ['measurementId', 'place'],
  measuredTargets: ['measurementId', 'name'],
};

type Indexed = { [Table in TableName]: [Table, (keyof (typeof firstTables)[Table])[]] }[TableName];

export const uniqueIndexes: Record<string, Indexed> = {
  revisionsByNumber: ['revisions', ['scenarioId', 'number']],
  accountsByProvider: ['accounts', ['providerId', 'accountId']],
};

export const indexes: Record<string, Indexed> = {
  measurementsByTime: ['measurements', ['createdAt', 'id', 'searchText']],
  measurementsByState: ['measurements', ['state', 'createdAt', 'id', 'searchText']],
  measurementsByKind: ['measurements', ['kind', 'createdAt', 'id', 'searchText']],
  measurementsByRevision: ['measurements', ['revisionId']],
  measurementsByVerdict: ['measurements', ['verdict', 'id']],
  measurementsByRequest: ['measurements', ['requestHash', 'createdAt', 'id']],
  blocksByPlace: ['blocks', ['measurementId', 'place']],
  annotationTagsByKey: ['annotationTags', ['key', 'measurementId']],
  measuredTargetsByName: ['measuredTargets', ['name', 'measurementId']],
  binByTime: ['bin', ['deletedAt', 'measurementId']],
  assignmentsBySession: ['assignments', ['session']],
  sessionsByUser: ['sessions', ['userId']],
  accountsByUser: ['accounts', ['userId']],
  apiKeysByUser: ['apiKeys', ['userId']],
  verificationsByIdentifier: ['verifications', ['identifier']],
  auditLogByTime: ['auditLog', ['at', 'id']],
};
