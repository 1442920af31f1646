/** Links that have a name, from the shortest to the slowest. */
export const linkNames = ['lan', 'metro', 'continent', 'mobile'] as const;
export type LinkName = (typeof linkNames)[number];
