/** To which row of so many a key leads from the row `at`; undefined for a key that leads nowhere. */
export const rowAfter = (key: string, at: number, rows: number): number | undefined => {
  const to: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: rows - 1,
  }
  return to[key]
}
