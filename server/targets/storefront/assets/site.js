/* A basket that lasts as long as the page. */
const basket = new Map();

for (const button of document.querySelectorAll('button[data-product]')) {
  button.addEventListener('click', () => {
    const { product, price } = button.dataset;
    const before = basket.get(product) ?? { pieces: 0, price: Number(price) };
    basket.set(product, { ...before, pieces: before.pieces + 1 });
    button.textContent = `In the basket: ${before.pieces + 1}`;
    showSum();
  });
}

function showSum() {
  let cents = 0;
  for (const { pieces, price } of basket.values()) cents += pieces * price;
  const offer = document.getElementById('offer');
  if (offer) offer.textContent = `Your basket: ${(cents / 100).toFixed(2)}`;
}
