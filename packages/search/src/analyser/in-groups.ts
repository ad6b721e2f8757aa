/** The items in their order, in groups whose sizes sum to at most `most`; a larger item is alone. */
export function* inGroups<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  most: number,
): Generator<Item[]> {
  let group: Item[] = [];
  let size = 0;
  for (const item of items) {
    if (group.length > 0 && size + sizeOf(item) > most) {
      yield group;
      group = [];
      size = 0;
    }
    group.push(item);
    size += sizeOf(item);
  }
  if (group.length > 0) yield group;
}
