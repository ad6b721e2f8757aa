/** The first day of its calendar month, always in UTC. */
export function monthOf(now: Date): string {
  return `${now.toISOString().slice(0, 7)}-01`;
}

/** When the budget renews. */
export function endOfMonth(month: string): Date {
  const end = new Date(`${month}T00:00:00Z`);
  end.setUTCMonth(end.getUTCMonth() + 1);
  return end;
}
