import type { Text } from './text.ts'

/** A row of an ordered tree; rows of one parent stand in the order of `sort`. */
export type TreeRow = { id: number; parent_id: number | null; sort: number }

/** A row and everything under it. */
export const branchOf = (rows: readonly TreeRow[], id: number): Set<number> => {
  const found = new Set([id])
  for (let grew = true; grew;) {
    grew = false
    for (const row of rows)
      if (row.parent_id !== null && found.has(row.parent_id) && !found.has(row.id)) {
        found.add(row.id)
        grew = true
      }
  }
  return found
}
/** 1 at the top. */
export const depthOf = (rows: readonly TreeRow[], id: number | null): number => {
  let depth = 0
  for (let at = id; at !== null && depth <= rows.length; depth++)
    at = rows.find(row => row.id === at)?.parent_id ?? null
  return depth
}
/** How many levels a row and what is under it take. */
export const heightOf = (rows: readonly TreeRow[], id: number): number =>
  Math.max(...[...branchOf(rows, id)].map(one => depthOf(rows, one))) - depthOf(rows, id) + 1

const moving = {
  self: ['不能移动到自己之下', 'It can’t stand under itself'],
  child: ['不能移动到自己的下级之下', 'It can’t stand under one of its own'],
  gone: ['目标已不存在，请刷新', 'The place is gone, refresh'],
} as const satisfies Record<string, Text>
/** True, or why the row can't stand under that parent (null is the top). */
export const mayStandUnder = (
  rows: readonly TreeRow[],
  id: number,
  parent_id: number | null,
): true | Text =>
  parent_id === null
    ? true
    : parent_id === id
      ? moving.self
      : !rows.some(row => row.id === parent_id)
        ? moving.gone
        : branchOf(rows, id).has(parent_id)
          ? moving.child
          : true

const inOrder = (a: TreeRow, b: TreeRow) => a.sort - b.sort || a.id - b.id
export const childrenOf = <R extends TreeRow>(rows: readonly R[], parent_id: number | null): R[] =>
  rows.filter(row => row.parent_id === parent_id).sort(inOrder)
/** Where a row stands among its siblings; 0 is the first. */
export const seatOf = (rows: readonly TreeRow[], id: number): number =>
  childrenOf(rows, rows.find(row => row.id === id)?.parent_id ?? null).findIndex(
    row => row.id === id,
  )
/** The rows under a parent in order after `id` took place `at` (0 is the first) among them. */
export const orderWith = (
  rows: readonly TreeRow[],
  id: number,
  parent_id: number | null,
  at: number,
): number[] => {
  const ids = childrenOf(rows, parent_id)
    .map(row => row.id)
    .filter(one => one !== id)
  ids.splice(Math.max(0, Math.min(ids.length, at)), 0, id)
  return ids
}

export type Move = 'up' | 'down' | 'in' | 'out'
/**
 * Where a key takes a row: before or after its neighbour, under the one above it, or beside its
 * parent. Undefined where there is no such place.
 */
export const placeOf = (
  rows: readonly TreeRow[],
  id: number,
  move: Move,
): { parent_id: number | null; at: number } | undefined => {
  const row = rows.find(one => one.id === id)
  if (!row) return undefined
  const siblings = childrenOf(rows, row.parent_id)
  const at = siblings.findIndex(one => one.id === id)
  if (move === 'up') return at > 0 ? { parent_id: row.parent_id, at: at - 1 } : undefined
  if (move === 'down')
    return at < siblings.length - 1 ? { parent_id: row.parent_id, at: at + 1 } : undefined
  if (move === 'in')
    return at > 0
      ? { parent_id: siblings[at - 1]!.id, at: childrenOf(rows, siblings[at - 1]!.id).length }
      : undefined
  const parent = rows.find(one => one.id === row.parent_id)
  return (
    parent && {
      parent_id: parent.parent_id,
      at: childrenOf(rows, parent.parent_id).findIndex(one => one.id === parent.id) + 1,
    }
  )
}
