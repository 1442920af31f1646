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
