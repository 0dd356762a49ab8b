import type { Text } from '#src/domain/text.ts'

/** What an id may stand for; the server finds the name. */
export type Named =
  | 'page_link'
  | 'admin'
  | 'city'
  | 'mall'
  | 'store'
  | 'merchant'
  | 'brand'
  | 'category'
  | 'department'
  | 'role'
  | 'product'
  | 'member'
  | 'menu'
  | 'notify_group'
  | 'issue_cate'
  | 'distributor'
  | 'dist_group'
/** What a key may stand for: a right, or a guarded field. */
export type Keyed = 'perm' | 'field'
/** `none`: what it means that a field holds nothing, where that says something. */
export type FieldWord = { title: Text; guard?: string; none?: Text } & (
  | { kind?: 'text' | 'number' | 'money' | 'time' | 'percent' | 'flag' | 'list' }
  | { kind: 'enum' | 'enums'; options: Readonly<Record<string, Text>> }
  | { kind: 'name' | 'names'; of: Named }
  | { kind: 'keys'; of: Keyed }
  /** A data scope: `all`, or `city:1` and `mall:2` for the places it names (placesOf). */
  | { kind: 'scope'; options: Readonly<Record<string, Text>> }
  /** An object: what each key says. */
  | { kind: 'rules'; of: Keyed; options: Readonly<Record<string, Text>> }
)
export type ObjectWord = { title: Text; fields: Readonly<Record<string, FieldWord>> }

/** Something that is on or off. */
export const onOff = { on: ['启用', 'On'], off: ['停用', 'Off'] } as const satisfies Record<
  string,
  Text
>
