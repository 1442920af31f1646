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

export const connectionsOption = {
  type: 'whole',
  min: 1,
  max: 1000,
  default: 8,
  label: 'Connections',
  help: 'Virtual users, each with its own connection',
  hint: null,
} as const;
