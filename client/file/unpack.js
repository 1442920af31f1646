// Opens the packed parts of this page, each gzip in Base64: its style, its result, and the program that shows it.
(async () => {
  async function unpack(id) {
    const text = document.getElementById(id).textContent;
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Response(stream).text();
  }
  function add(parent, element, content) {
    parent.append(Object.assign(document.createElement(element), content));
  }
  const [style, result, program] = await Promise.all(
    ['packed-style', 'packed-result', 'packed-program'].map(unpack),
  );
  globalThis.result = JSON.parse(result);
  add(document.head, 'style', { textContent: style });
  add(document.body, 'script', { type: 'module', textContent: program });
})();
