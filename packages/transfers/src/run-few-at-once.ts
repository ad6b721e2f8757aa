/** All of them have stopped when the first failure is reported; after it, none begins. */
export async function runFewAtOnce(
  count: number,
  tasks: readonly (() => Promise<void>)[] | AsyncGenerator<() => Promise<void>>,
): Promise<void> {
  const rest = Symbol.asyncIterator in tasks ? tasks : tasks.values();
  let isOver = false;
  const takeNext = async () => {
    for await (const task of rest) {
      if (isOver) return;
      await task();
    }
  };
  const takers = Array.from({ length: count }, () =>
    takeNext().finally(() => {
      isOver = true;
    }),
  );
  await Promise.allSettled(takers);
  await Promise.all(takers);
}
