/** Pages of the documentation in the order of their navigation. The text of each is `public/docs/{page}.md`, under its title. */
export const docPages = [
  { page: 'guide', title: 'Guide' },
  { page: 'method', title: 'Method' },
  { page: 'hosts', title: 'Other hosts' },
  { page: 'sweeps', title: 'Sweeps' },
  { page: 'path', title: 'The path' },
  { page: 'sql', title: 'SQL' },
  { page: 'figures', title: 'Figures' },
  { page: 'command-line', title: 'Command line' },
  { page: 'ci', title: 'In a build' },
  { page: 'team', title: 'For a team' },
  { page: 'runners', title: 'Runners' },
  { page: 'api', title: 'API' },
  { page: 'contributing', title: 'Contributing' },
] as const;

export type DocPage = (typeof docPages)[number]['page'];
