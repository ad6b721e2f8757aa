/** The result of the work, if it arrives in time. The work is not stopped, only no longer awaited. */
export async function within<Result>(
  millis: number,
  work: Promise<Result>,
  late: () => Error,
): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), millis);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
