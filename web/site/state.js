// What is shown, in the address: #page?key=value&…, so that a link shows the same.

let written = null;

export function readState() {
  const [page, query = ''] = location.hash.slice(1).split('?');
  const values = new URLSearchParams(query);
  const state = { page: page || 'impact', set: {} };
  for (const [key, value] of values) {
    if (key.startsWith('set.')) {
      if (Number.isFinite(Number(value))) state.set[key.slice(4)] = Number(value);
    } else state[key] = value;
  }
  return state;
}

/** The page that is shown. */
export function shownPage() {
  const { page } = readState();
  return ['motion', 'papers'].includes(page) ? page : 'impact';
}

export function writeState({ page, set = {}, ...rest }) {
  const values = new URLSearchParams();
  for (const [key, value] of Object.entries(rest)) if (value !== undefined && value !== '') values.set(key, value);
  for (const [key, value] of Object.entries(set)) values.set(`set.${key}`, value);
  const query = values.toString();
  written = `#${page}${query ? `?${query}` : ''}`;
  history.replaceState(null, '', written);
}

/** Whether the address is the one that was written last. */
writeState.own = () => location.hash === written;
