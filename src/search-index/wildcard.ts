/** Whether a text fits a pattern in which `*` stands for any characters and `?` for one. Takes no more than the product of both lengths. */
export function fits(text: string, pattern: string): boolean {
  const [points, wanted] = [[...text], [...pattern]];
  let [at, place] = [0, 0];
  /** After the last star: where it stands, and how far what it stands for goes. */
  let [star, covered] = [-1, 0];
  while (at < points.length) {
    if (wanted[place] === '*') {
      star = place;
      covered = at;
      place += 1;
    } else if (place < wanted.length && (wanted[place] === '?' || wanted[place] === points[at])) {
      place += 1;
      at += 1;
    } else if (star >= 0) {
      covered += 1;
      at = covered;
      place = star + 1;
    } else return false;
  }
  while (wanted[place] === '*') place += 1;
  return place === wanted.length;
}
