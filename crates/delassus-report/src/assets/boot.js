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
