/** The first day of the calendar month that this is in, in UTC wherever the process runs. */
export function monthOf(now: Date): string {
  return `${now.toISOString().slice(0, 7)}-01`;
}

/** When the budget begins anew. */
export function endOfMonth(month: string): Date {
  const end = new Date(`${month}T00:00:00Z`);
  end.setUTCMonth(end.getUTCMonth() + 1);
  return end;
}
