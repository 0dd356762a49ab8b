/** Reads rows of a table by ids of which some may be null or named twice; answers them by their id. */
export const byIds = async <R extends { id: number }>(
  ids: readonly (number | null)[],
  read: (ids: number[]) => Promise<R[]>,
): Promise<Map<number, R>> => {
  const some = [...new Set(ids.filter(id => id !== null))]
  return new Map((some.length === 0 ? [] : await read(some)).map(row => [row.id, row]))
}
