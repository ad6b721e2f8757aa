const day = 24 * 60 * 60 * 1_000;

export function dateAfter(start: string, days: number): string {
  return new Date(Date.parse(`${start}T00:00:00Z`) + days * day).toISOString().slice(0, 10);
}

/** 2026-03-05 as 2026年3月5日. */
export function dateInJapanese(date: string): string {
  const [year, month, dayOfMonth] = date.split("-").map(Number);
  return `${year}年${month}月${dayOfMonth}日`;
}

/** Working days from a date on. */
export function workingDays(start: string, count: number): string[] {
  const days: string[] = [];
  for (let offset = 0; days.length < count; offset += 1) {
    const date = dateAfter(start, offset);
    const weekday = new Date(date).getUTCDay();
    if (weekday !== 0 && weekday !== 6) days.push(date);
  }
  return days;
}
