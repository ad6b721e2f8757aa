/** Where it is noon: a screen that is filmed around midnight is like any other. */
export function zoneAtNoon(): string {
  const behind = new Date().getUTCHours() - 12;
  return behind === 0 ? "Etc/GMT" : `Etc/GMT${behind > 0 ? `+${behind}` : behind}`;
}
