/** Problems of measuring: load generator, browser, lab, links, and queries of results. */
export const toolProblems = {
  too_many_connections: {
    status: 422,
    title: 'Too many connections for this machine',
    advice: 'Raise the limit, or use fewer connections.',
  },
  rate_too_high: {
    status: 422,
    title: 'The rate is too high for the target',
    advice: 'Lower the rate, or leave it empty to use half of what the slower side can handle.',
  },
  too_disturbed: {
    status: 422,
    title: 'Too much of the run was disturbed',
    advice: 'Close other programs on this machine and repeat the run.',
  },
  generator_failed: {
    status: 500,
    title: 'The load generator failed',
    advice: 'Repeat the run. If it fails again, report it with this message.',
  },
  generators_off: {
    status: 422,
    title: 'This server takes no generators',
    advice: 'Set TLS_TOLL_GENERATORS and restart it: /docs/generators. Or leave out the number of hosts.',
  },
  generators_missing: {
    status: 409,
    title: 'Too few generators have joined',
    advice: 'Start more with npx tls-toll generator, or ask for fewer. npx tls-toll generators lists them.',
  },
  generator_lost: {
    status: 502,
    title: 'A generator was lost',
    advice: 'The results up to that point are kept. Start the generator again, and then the run.',
  },
  generator_refused: {
    status: 422,
    title: 'A generator refused an order',
    advice: 'Its own command line says what it may load: start it again with --allow.',
  },
  join_refused: {
    status: 403,
    title: 'The dashboard did not take this generator',
    advice: 'Copy fingerprint and token of the dashboard again, and use the same version on both hosts.',
  },
  pods_off: {
    status: 422,
    title: 'This server creates no pods',
    advice: 'Set TLS_TOLL_PODS and restart it: /docs/generators. Or use hosts that have joined.',
  },
  client_missing: {
    status: 503,
    title: 'The client of Kubernetes is not installed',
    advice: 'Install it, or use hosts that join: /docs/generators.',
  },
  cluster_unreachable: {
    status: 503,
    title: 'The cluster cannot be reached',
    advice: 'Check the kubeconfig.',
  },
  cluster_refused: {
    status: 409,
    title: 'The cluster refused',
    advice: 'Correct what it names, and start the run again. /docs/generators lists the rights it needs.',
  },
  pods_refused: {
    status: 409,
    title: 'The generator pods do not run',
    advice: 'Correct what the cluster names, and start the run again.',
  },
  lab_impossible: {
    status: 422,
    title: 'The lab cannot measure this',
    advice: 'Correct the value and start again.',
  },
  lab_failed: {
    status: 500,
    title: 'The lab process failed',
    advice: 'Repeat the run. If it fails again, report it with this message.',
  },
  tool_failed: {
    status: 422,
    title: 'The tool could not be run',
    advice: 'Check the command after --.',
  },
  tool_not_isolated: {
    status: 422,
    title: 'The tool could reach other hosts',
    advice: 'Make isolation possible, or leave out the argument.',
  },
  link_failed: {
    status: 500,
    title: 'The link failed',
    advice: 'Repeat the run. If it fails again, report it with this message.',
  },
  link_impossible: {
    status: 422,
    title: 'This link is not possible here',
    advice: 'Change the link, or provide what is missing.',
  },
  perf_missing: {
    status: 503,
    title: 'perf is not installed',
    advice: 'Install Linux’s perf on the machine that measures.',
  },
  perf_forbidden: {
    status: 503,
    title: 'perf may not sample this machine',
    advice: 'Permit it, or run TLS Toll as root.',
  },
  perf_failed: {
    status: 500,
    title: 'perf failed',
    advice: 'Repeat the run. If it fails again, report it with this message.',
  },
  valgrind_missing: {
    status: 503,
    title: 'Valgrind is not installed',
    advice: 'Install Valgrind on the machine that measures.',
  },
  not_countable: {
    status: 422,
    title: 'Instructions of this server cannot be counted',
    advice: 'Choose another server, or sample its CPU time.',
  },
  count_failed: {
    status: 500,
    title: 'Counting instructions failed',
    advice: 'Repeat the run. If it fails again, report it with this message.',
  },
  symbols_missing: {
    status: 422,
    title: 'The program has no names of functions',
    advice: 'Install its debug symbols or a build that is not stripped, or choose another server.',
  },
  browser_missing: {
    status: 503,
    title: 'Chromium not found',
    advice: 'Install Chromium, or set CHROMIUM_PATH.',
  },
  browser_failed: {
    status: 503,
    title: 'Chromium failed',
    advice: 'Try again, or set CHROMIUM_PATH to another Chromium.',
  },
  machine_busy: {
    status: 409,
    title: 'The machine is busy',
    advice: 'Wait until the current run or recording ends.',
  },
  sql_invalid: {
    status: 422,
    title: 'Invalid SQL',
    advice: 'Correct the query. npx tls-toll sql --help lists the views and their columns.',
  },
  sql_refused: {
    status: 422,
    title: 'This SQL is not allowed',
    advice: 'Write a single SELECT from the views that npx tls-toll sql --help lists.',
  },
  sql_stopped: {
    status: 422,
    title: 'The query was stopped',
    advice: 'Add a condition, or group the rows.',
  },
  sql_busy: {
    status: 503,
    title: 'Other queries are running',
    advice: 'Try again in a few seconds.',
  },
  sql_off: {
    status: 503,
    title: 'SQL is off',
    advice: 'Ask the database administrator to do this, then run the query again: /docs/sql#postgresql.',
  },
  sql_failed: {
    status: 500,
    title: 'The query failed',
    advice: 'Run it again. If it fails again, report it with this message.',
  },
} as const satisfies Record<string, ProblemKind>;

/** One entry of the catalog: the HTTP status, a title, and what the user can do. */
export type ProblemKind = { status: number; title: string; advice: string };
