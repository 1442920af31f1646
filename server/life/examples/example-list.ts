/** What is shipped, in the order in which it is shown. `npm run bench -- examples` measures it. */
export const exampleList = [
  { name: 'storefront', asks: 'What does HTTPS cost a shop with a database?' },
  { name: 'nginx', asks: 'What does HTTPS cost a web server that only sends files?' },
  { name: 'new-connections', asks: 'What does a new connection cost with RSA, compared with ECDSA?' },
  { name: 'post-quantum', asks: 'What does post-quantum key agreement add to a new connection?' },
  { name: 'sizes', asks: 'How does the cost of HTTPS grow with the size of a document?' },
  { name: 'mesh', asks: 'What do two sidecars cost, and how much of that is mutual TLS?' },
] as const;

export type ExampleName = (typeof exampleList)[number]['name'];
