import type { ProblemKind } from './problem-kind.ts';

/** The server, its command line, and the machine under it. */
export const serverProblems = {
  file_unreadable: {
    status: 422,
    title: 'The file could not be read',
    advice: 'Check its path and permissions.',
  },
  file_unwritable: {
    status: 422,
    title: 'The file could not be written',
    advice: 'Check its path and permissions.',
  },
  backup_missing: {
    status: 422,
    title: 'There is nothing to back up',
    advice: 'Set TLS_TOLL_DATA to the data directory of the server, or DATABASE_URL to its database.',
  },
  backup_unusable: {
    status: 422,
    title: 'This backup cannot be restored',
    advice: 'Use an intact file that npx tls-toll backup wrote.',
  },
  backup_newer: {
    status: 422,
    title: 'This backup was made by a newer version',
    advice: 'Update TLS Toll, then restore it.',
  },
  backup_misfit: {
    status: 422,
    title: 'This backup is from another database engine',
    advice: 'Restore it into the same engine, SQLite or PostgreSQL.',
  },
  directory_not_empty: {
    status: 422,
    title: 'The directory is not empty',
    advice: 'Restore into a new or empty directory.',
  },
  database_not_empty: {
    status: 422,
    title: 'The database is not empty',
    advice: 'Create a new database with createdb, and set DATABASE_URL to it.',
  },
  postgres_tool_missing: {
    status: 422,
    title: 'A PostgreSQL program is missing',
    advice: 'Install it: apt-get install postgresql-client on Debian and Ubuntu.',
  },
  postgres_tool_failed: {
    status: 422,
    title: 'A PostgreSQL program failed',
    advice: 'Make sure that it is not older than the PostgreSQL server.',
  },
  address_in_use: {
    status: 500,
    title: 'The port is not available',
    advice: 'Set PORT to a free port, or stop the program that uses this one.',
  },
  data_directory_unusable: {
    status: 500,
    title: 'The data directory is not usable',
    advice: 'Set TLS_TOLL_DATA to a directory that this user can write to.',
  },
  database_gone: {
    status: 503,
    title: 'The database file is no longer in its place',
    advice: 'Put it back. Until then, what is measured is kept in memory, and lost if the server stops.',
  },
  data_directory_in_use: {
    status: 500,
    title: 'Another server is using this data directory',
    advice: 'Stop that server, or set TLS_TOLL_DATA to another directory.',
  },
  database_damaged: {
    status: 500,
    title: 'The database is damaged',
    advice:
      'Stop the server. Move tls-toll.sqlite and its -wal and -shm files from the data directory to another directory, OLD. Then restore a backup with npx tls-toll restore, or recover what you can with sqlite3 from sqlite.org: sqlite3 OLD/tls-toll.sqlite .recover | sqlite3 tls-toll.sqlite. Otherwise, the next start creates an empty database.',
  },
  database_unavailable: {
    status: 503,
    title: 'The database does not respond',
    advice: 'Check DATABASE_URL, and make sure that PostgreSQL is running.',
  },
  disk_full: {
    status: 507,
    title: 'The disk is full',
    advice: 'Free some space. What was stored so far is kept.',
  },
  invalid_environment: {
    status: 500,
    title: 'Invalid environment variable',
    advice: 'Correct it and start again.',
  },
  invalid_arguments: {
    status: 400,
    title: 'Invalid command line',
    advice: 'Run npx tls-toll COMMAND --help to list the options.',
  },
  dashboard_missing: {
    status: 409,
    title: 'No dashboard is running',
    advice: 'Start it with npx tls-toll serve, then try again.',
  },
  server_unreachable: {
    status: 503,
    title: 'The server cannot be reached',
    advice: 'Check TLS_TOLL_SERVER, the network, and that the dashboard is running.',
  },
  server_untrusted: {
    status: 502,
    title: 'The server’s certificate is not trusted',
    advice: 'Set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of its authority, or its own.',
  },
  client_not_built: {
    status: 503,
    title: 'The dashboard is not built',
    advice: 'Run npm run build, then try again.',
  },
  server_closing: { status: 503, title: 'The server is shutting down', advice: 'Try again when it is back.' },
  internal: { status: 500, title: 'Internal server error', advice: 'Report it with the request ID.' },
} as const satisfies Record<string, ProblemKind>;
