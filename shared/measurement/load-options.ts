/** Options of kinds that load a server with one document. */

export const documentOption = {
  type: 'whole',
  min: 1,
  max: 10_000_000,
  unit: 'bytes',
  default: 10_000,
  flag: '--document',
  takes: 'bytes',
  label: 'Document size',
  help: 'Size of the document that it serves',
  hint: null,
} as const;

export const usersOption = {
  type: 'whole',
  min: 1,
  max: 5000,
  default: null,
  label: 'Users',
  help: 'Virtual users at full load, each with its own connection',
  hint: 'Each has its own connection.',
  usual: 'doubled until more users no longer help',
  placeholder: 'found',
} as const;

/** Users where a number is needed before the search, or without a search. */
export const usualUsers = 8;

/** The same for every kind that draws orders. */
export const seedOption = {
  type: 'whole',
  min: 0,
  max: 2 ** 31 - 1,
  field: false,
  workedOut: true,
  label: 'Seed',
  help: 'Seed of all random orders',
  usual: 'random',
  group: 'Plan',
} as const;

/** Without Zod, because the first page sets up no schema. */

/** Largest number of generator hosts per measurement. */
export const mostGeneratorHosts = 16;

/** Largest number of pods per measurement, unless TLS_TOLL_PODS_MOST sets it. */
export const usualMostPods = 10;
