/**
 * Returns the positions of the rows with the ranks `from` to `to` (exclusive), in order. Selects them by quickselect,
 * in linear time on average, and sorts only them.
 * @param compare compares the rows at two positions; it must never return 0 for different positions
 */
export function rankedPositions(
  length: number,
  compare: (a: number, b: number) => number,
  from: number,
  to: number,
): number[] {
  const end = Math.min(to, length);
  if (from >= end) return [];
  const positions = new Uint32Array(length);
  for (let position = 0; position < length; position++) positions[position] = position;
  quickselect(positions, compare, 0, length - 1, from);
  quickselect(positions, compare, from, length - 1, end - 1);
  return [...positions.subarray(from, end)].sort(compare);
}

/**
 * Reorders the positions at the indexes `first` to `last`, so that the position with rank `rank` is at index `rank`,
 * after all positions with lower ranks and before all with higher ranks.
 */
function quickselect(
  positions: Uint32Array,
  compare: (a: number, b: number) => number,
  first: number,
  last: number,
  rank: number,
): void {
  const positionAt = (index: number): number => positions[index] ?? 0;
  let [low, high] = [first, last];
  while (low < high) {
    const pivot = median(positionAt(low), positionAt((low + high) >>> 1), positionAt(high), compare);
    let [left, right] = [low, high];
    while (left <= right) {
      while (compare(positionAt(left), pivot) < 0) left += 1;
      while (compare(positionAt(right), pivot) > 0) right -= 1;
      if (left > right) break;
      const moved = positionAt(left);
      positions[left] = positionAt(right);
      positions[right] = moved;
      left += 1;
      right -= 1;
    }
    if (rank <= right) high = right;
    else if (rank >= left) low = left;
    else return;
  }
}

function median(a: number, b: number, c: number, compare: (a: number, b: number) => number): number {
  const [low, high] = compare(a, b) < 0 ? [a, b] : [b, a];
  if (compare(c, low) < 0) return low;
  return compare(c, high) > 0 ? high : c;
}
