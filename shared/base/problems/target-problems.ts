import type { ProblemKind } from './problem-kind.ts';

/** Targets: who may be loaded, what answers there, and who reads their CPU. */
export const targetProblems = {
  target_not_permitted: {
    status: 403,
    title: 'This target is not permitted',
    advice: 'Allow the host at /targets, or use a loopback address such as 127.0.0.1.',
  },
  target_not_found: {
    status: 404,
    title: 'This target is not allowed',
    advice: 'It may have been withdrawn. /targets lists the hosts that are allowed.',
  },
  target_of_environment: {
    status: 409,
    title: 'The environment allows this target',
    advice: 'Remove it from TLS_TOLL_TARGETS and restart the server.',
  },
  target_unreachable: {
    status: 422,
    title: 'The target does not respond',
    advice: 'Remove the cause that is named, then check the target again.',
  },
  tls_not_offered: {
    status: 422,
    title: 'The server does not offer this TLS',
    advice: 'Or leave it unset to measure the best that both ends speak.',
  },
  target_busy: {
    status: 409,
    title: 'The target is being measured',
    advice:
      'Check it when the run has ended. A run that you start now waits in the queue and checks it then.',
  },
  agent_unreachable: {
    status: 422,
    title: 'The agent does not respond',
    advice: 'Start it on the target’s host and check host, port, and firewall.',
  },
  agent_untrusted: {
    status: 422,
    title: 'The agent could not prove who it is',
    advice: 'Copy the fingerprint that the agent printed and the token file from the target’s host again.',
  },
  agent_version: {
    status: 422,
    title: 'The agent has another version',
    advice: 'Install the same version of TLS Toll on both hosts.',
  },
  exporter_unreachable: {
    status: 422,
    title: 'The exporter does not respond',
    advice: 'Open its address from this machine, for example with curl. A firewall may be in the way.',
  },
  exporter_unusable: {
    status: 422,
    title: 'The exporter does not have these figures',
    advice:
      'Look at what its address shows, and correct the address, the token, or the names of the metrics.',
  },
  server_missing: {
    status: 422,
    title: 'The server is not installed',
    advice: 'Or choose another server. /api/v1/servers lists the installed ones.',
  },
  server_failed: {
    status: 422,
    title: 'The server did not start',
    advice: 'Fix the cause that the server reported, then start the run again.',
  },
  not_comparable: {
    status: 422,
    title: 'The two sides are not comparable',
    advice: 'Make both sides serve the same application in the same way.',
  },
  too_few_slots: {
    status: 422,
    title: 'The server answers too few connections at a time',
    advice: 'Or give it more workers.',
  },
  target_died: {
    status: 422,
    title: 'The target stopped responding during the run',
    advice: 'Start it again, then repeat the run.',
  },
  target_errors: {
    status: 422,
    title: 'The target returned errors',
    advice: 'The error groups show which step failed and how.',
  },
} as const satisfies Record<string, ProblemKind>;
