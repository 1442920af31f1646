import type { ProblemKind } from './problem-kind.ts';

/** The life of measurements and schedules, and what compares and repeats them. */
export const measurementProblems = {
  run_not_found: {
    status: 404,
    title: 'Measurement not found',
    advice: 'Check the link for typos. /runs lists every measurement on this server.',
  },
  run_deleted: {
    status: 410,
    title: 'This measurement was deleted',
    advice: 'Ask whoever sent the link for a new one.',
  },
  run_binned: {
    status: 410,
    title: 'This measurement is in the bin',
    advice: 'Restore it from the browser that started it, or with its delete token.',
  },
  example_read_only: {
    status: 409,
    title: 'This is an example',
    advice: 'Run it again to get a result of your own.',
  },
  batch_not_found: {
    status: 404,
    title: 'There is no measurement on several sites here',
    advice: 'Check the link for typos. /runs lists every measurement on this server.',
  },
  run_newer: {
    status: 501,
    title: 'This measurement was made by a newer version',
    advice: 'Update TLS Toll to open it.',
  },
  run_older: {
    status: 501,
    title: 'This measurement was made by an earlier version',
    advice: 'Measure again. The earlier version can still show it.',
  },
  run_over: { status: 409, title: 'This measurement has already ended', advice: 'Start a new one.' },
  run_unfinished: {
    status: 409,
    title: 'This measurement has not ended yet',
    advice: 'Cancel it, or wait until it ends.',
  },
  wrong_delete_token: {
    status: 403,
    title: 'The delete token is wrong',
    advice: 'Use the token that was returned when the measurement was created.',
  },
  queue_full: { status: 429, title: 'The queue is full', advice: 'Wait until a measurement ends.' },
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
    title: 'This measurement cannot be repeated',
    advice: 'Start it again and enter the values, or repeat a measurement without secrets.',
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
    title: 'This measurement cannot be resumed',
    advice: 'Start a new one with the same settings.',
  },
  results_not_comparable: {
    status: 422,
    title: 'These results cannot be compared',
    advice: 'Choose two finished results of the same kind.',
  },
  run_interrupted: {
    status: 422,
    title: 'The server stopped during the measurement',
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
    title: 'The measurement was canceled',
    advice: 'The results up to that point are kept. Start it again.',
  },
  claim_lost: {
    status: 409,
    title: 'Another server took over this measurement',
    advice: 'Reload its page to see the current state.',
  },
  not_explainable: {
    status: 422,
    title: 'This run cannot be explained',
    advice: 'npx tls-toll explain and /lab/explain take any server of this machine.',
  },
} as const satisfies Record<string, ProblemKind>;
