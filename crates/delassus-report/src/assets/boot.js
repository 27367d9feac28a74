// Starts the players of a page: each has its scene in a script element beside it.
for (const root of document.querySelectorAll('.player')) {
  const part = root.closest('[data-part]');
  const scene = JSON.parse(part.querySelector('script[type="application/json"]').textContent);
  const player = mountPlayer(root, scene, [...part.querySelectorAll('figure[data-places]')]);
  for (const button of part.querySelectorAll('button[data-time]')) {
    button.addEventListener('click', () => {
      player.pause();
      player.show(Number(button.dataset.time));
      root.scrollIntoView({ block: 'nearest' });
    });
  }
}

// What is folded is printed as well.
window.addEventListener('beforeprint', () => {
  for (const folded of document.querySelectorAll('details:not([open])')) { folded.open = true; folded.dataset.folded = ''; }
});
window.addEventListener('afterprint', () => {
  for (const opened of document.querySelectorAll('details[data-folded]')) { opened.open = false; delete opened.dataset.folded; }
});
