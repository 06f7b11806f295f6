/**
 * Points to change, add or leave out to make the one text of the other, as far as it is no more than `most`; beyond that,
 * a larger number.
 */
export function editDistance(one: string, other: string, most: number): number {
  const [wanted, found] = [[...one], [...other]];
  if (Math.abs(wanted.length - found.length) > most) return most + 1;
  let row = Array.from({ length: wanted.length + 1 }, (_, index) => index);
  for (const point of found) {
    const next = [row[0]! + 1];
    let least = next[0]!;
    for (let index = 0; index < wanted.length; index += 1) {
      const changed = row[index]! + (wanted[index] === point ? 0 : 1);
      const cost = Math.min(row[index + 1]! + 1, next[index]! + 1, changed);
      next.push(cost);
      if (cost < least) least = cost;
    }
    if (least > most) return most + 1;
    row = next;
  }
  return row.at(-1)!;
}
