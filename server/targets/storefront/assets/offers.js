/* The line at the top of every page. It may change at any hour, so browsers ask each time whether it has. */
const offers = [
  'Free delivery from 50.00 on.',
  'Two umbrellas for the price of one and a half.',
  'Gloves are lonely: buy both.',
];
const offerLine = document.getElementById('offer');
if (offerLine) offerLine.textContent = offers[document.title.length % offers.length];
