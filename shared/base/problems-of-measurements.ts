import type { ProblemKind } from './tool-problems.ts';

/** The life of measurements and schedules, and what compares and repeats them. */
export const measurementProblems = {
  run_not_found: {
    status: 404,
    title: 'Run not found',
    advice: 'Check the link for typos. /runs lists every run on this server.',
  },
  run_deleted: {
    status: 410,
    title: 'This run was deleted',
    advice: 'Ask whoever sent the link for a new one.',
  },
  run_binned: {
    status: 410,
    title: 'This run is in the bin',
    advice: 'Restore it from the browser that started it, or with its delete token.',
  },
  example_read_only: {
    status: 409,
    title: 'This is an example',
    advice: 'Run it again to get a result of your own.',
  },
  batch_not_found: {
    status: 404,
    title: 'Multi-site run not found',
    advice: 'Check the link for typos. /runs lists every run on this server.',
  },
  run_newer: {
    status: 501,
    title: 'This run was made by a newer version',
    advice: 'Update TLS Toll to open it.',
  },
  run_older: {
    status: 501,
    title: 'This run was made by an earlier version',
    advice: 'Measure again. The earlier version can still show it.',
  },
  run_over: { status: 409, title: 'This run has already ended', advice: 'Start a new one.' },
  run_unfinished: {
    status: 409,
    title: 'This run has not ended yet',
    advice: 'Cancel it, or wait until it ends.',
  },
  wrong_delete_token: {
    status: 403,
    title: 'The delete token is wrong',
    advice: 'Use the token that was returned when the run was created.',
  },
  queue_full: { status: 429, title: 'The queue is full', advice: 'Wait until a run ends.' },
  runners_off: {
    status: 422,
    title: 'This server has no runners',
    advice: 'Leave out the labels, or set DATABASE_URL and start runners: /docs/runners.',
  },
  runner_unknown: {
    status: 422,
    title: 'No runner can measure this',
    advice: 'Correct the labels, or start a runner that has them with npx tls-toll runner --labels.',
  },
  runner_outdated: {
    status: 409,
    title: 'The runner is older than the dashboard',
    advice: 'Update the runner to the version of the dashboard.',
  },
  runner_name_taken: {
    status: 409,
    title: 'Another runner has this name',
    advice: 'Start this one with another --name.',
  },
  schedule_not_found: {
    status: 404,
    title: 'Schedule not found',
    advice: 'Check the ID for typos. /runs/schedules lists every schedule on this server.',
  },
  too_many_schedules: {
    status: 409,
    title: 'Too many schedules',
    advice: 'Delete schedules that you no longer need.',
  },
  not_continuable: {
    status: 409,
    title: 'This run cannot be continued',
    advice: 'Run it again instead.',
  },
  not_repeatable: {
    status: 422,
    title: 'This run cannot be repeated',
    advice: 'Start it again and enter the values, or repeat a run without secrets.',
  },
  schedule_over: {
    status: 409,
    title: 'This schedule has ended',
    advice: 'Repeat one of its results to make a new one.',
  },
  repeat_skipped: {
    status: 409,
    title: 'This time was skipped',
    advice: 'The schedule goes on at its next time.',
  },
  not_resumable: {
    status: 409,
    title: 'This run cannot be resumed',
    advice: 'Start a new one with the same settings.',
  },
  results_not_comparable: {
    status: 422,
    title: 'These results cannot be compared',
    advice: 'Choose two finished results of the same kind.',
  },
  run_interrupted: {
    status: 422,
    title: 'The server stopped during the run',
    advice: 'The results up to that point are kept. Start it again.',
  },
  limit_reached: {
    status: 422,
    title: 'A limit of the target was reached',
    advice: 'The results up to that point are kept. Choose a shorter plan, or raise the limit at /targets.',
  },
  load_stopped: {
    status: 422,
    title: 'All load was stopped',
    advice: 'The results up to that point are kept. Start it again.',
  },
  run_cancelled: {
    status: 422,
    title: 'The run was canceled',
    advice: 'The results up to that point are kept. Start it again.',
  },
  claim_lost: {
    status: 409,
    title: 'Another server took over this run',
    advice: 'Reload its page to see the current state.',
  },
  not_explainable: {
    status: 422,
    title: 'This run cannot be explained',
    advice: 'npx tls-toll explain and /lab/explain take any server of this machine.',
  },
} as const satisfies Record<string, ProblemKind>;

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
    advice: 'Put the file back. Until then, results stay in memory, and are lost if the server stops.',
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
