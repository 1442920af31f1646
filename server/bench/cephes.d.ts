/** Its own declarations are not among its exports. */
declare module 'cephes' {
  export const compiled: Promise<void>;
  export function incbi(a: number, b: number, p: number): number;
}
