/** How the two sides of a sweep are drawn. */
export const sideLooks = {
  http: { label: 'HTTP', color: '#0072B2', dashed: false, marker: 'circle' },
  https: { label: 'HTTPS', color: '#D55E00', dashed: true, marker: 'diamond' },
} as const;
