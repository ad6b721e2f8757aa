/** All of them have stopped when the first failure is reported; after it, none begins. */
export async function runFewAtOnce(count: number, tasks: readonly (() => Promise<void>)[]): Promise<void> {
  const rest = tasks.values();
  let isOver = false;
  const takeNext = async () => {
    for (const task of rest) {
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
