import type { Text } from '#src/domain/text.ts'

export type FieldMode = 'show' | 'mask' | 'hide'
export const fieldModes = {
  show: ['显示', 'Show'],
  mask: ['脱敏', 'Mask'],
  hide: ['隐藏', 'Hide'],
} as const satisfies Record<FieldMode, Text>
const generosity: Record<FieldMode, number> = { hide: 0, mask: 1, show: 2 }
/** True when `asked` shows no more of a field than `mine` does. */
export const modeFits = (mine: FieldMode, asked: FieldMode): boolean =>
  generosity[asked] <= generosity[mine]

export type ScopeType = 'all' | 'city' | 'mall' | 'dept' | 'self'
export const scopeTypes = {
  all: ['全部数据', 'All data'],
  city: ['指定城市', 'Cities'],
  mall: ['指定商场', 'Malls'],
  dept: ['本部门', 'Own department'],
  self: ['仅本人', 'Own rows'],
} as const satisfies Record<ScopeType, Text>
export const staffScopes = {
  inherit: ['跟随角色', 'By role'],
  ...scopeTypes,
} as const satisfies Record<ScopeType | 'inherit', Text>
/** Cities and malls stand in `scope_ids`; a list that is named must not be empty. */
export const scopeFault = (of: {
  scope_type: ScopeType | 'inherit'
  scope_ids: readonly number[]
}): Text | undefined =>
  (of.scope_type === 'city' || of.scope_type === 'mall') && of.scope_ids.length === 0
    ? ['请至少选择一个城市或商场', 'Choose at least one city or mall']
    : undefined

type Seen = {
  cities: 'all' | readonly number[]
  malls: 'all' | readonly number[]
  owners: readonly number[]
}
/**
 * True when a scope shows nothing that `mine` does not: listed cities within mine, malls within
 * mine or standing in my cities, own rows always; a department only to who sees all or a
 * department.
 */
export const scopeFits = (
  mine: Seen,
  asked: { scope_type: ScopeType; scope_ids: readonly number[] },
  cityOfMall: (mall: number) => number | undefined,
): boolean => {
  if (mine.cities === 'all' || mine.malls === 'all' || asked.scope_type === 'self') return true
  const { cities, malls } = mine
  if (asked.scope_type === 'city') return asked.scope_ids.every(id => cities.includes(id))
  if (asked.scope_type === 'mall')
    return asked.scope_ids.every(id => malls.includes(id) || cities.includes(cityOfMall(id) ?? 0))
  return asked.scope_type === 'dept' && mine.owners.length > 1
}

/** `audit.bulks.approve` → `audit.bulks.view`. */
export const viewOf = (permit: string): string => `${permit.slice(0, permit.lastIndexOf('.'))}.view`
/** Exactly these rights and the views of their pages, where those are known; sorted, each once. */
export const withViews = (perms: readonly string[], known: ReadonlySet<string>): string[] =>
  [
    ...new Set(perms.flatMap(perm => [perm, ...(known.has(viewOf(perm)) ? [viewOf(perm)] : [])])),
  ].sort()

export type Diff = { added: string[]; removed: string[] }
export const diffOf = (before: readonly string[], after: readonly string[]): Diff => {
  const [was, is] = [new Set(before), new Set(after)]
  return {
    added: [...is].filter(one => !was.has(one)).sort(),
    removed: [...was].filter(one => !is.has(one)).sort(),
  }
}
