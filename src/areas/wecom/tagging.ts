import { lengthOf, plainLine, type Text } from '#src/domain/text.ts'

/** Tags that WeCom keeps for one corp. */
export const TAGS_MOST = 10_000
/** Signs of a tag's or a group's name. */
export const TAG_NAME_MAX = 30
/** Tags that are made at a time. */
export const TAGS_AT_ONCE = 20

export const tagStates = {
  active: ['正常', 'In use'],
  pending: ['待企微确认', 'Waits for WeCom'],
  invalid: ['已失效', 'Gone in WeCom'],
  deleted: ['已删除', 'Deleted'],
} as const satisfies Record<string, Text>
export type TagState = keyof typeof tagStates

/** What gives a tag by itself. */
export const tagRuleKinds = {
  spend: ['消费', 'A payment'],
  visit: ['到访', 'A visit'],
  verify: ['核销', 'A redemption'],
  join: ['进群', 'Joining a chat'],
  keyword: ['关键词', 'Words in notes'],
} as const satisfies Record<string, Text>
type TagRuleKind = keyof typeof tagRuleKinds
/** An automatic rule: `min_cents` of one order, malls of it, chats that are joined, words looked for. */
export type TagRule = {
  kind: TagRuleKind
  on: boolean
  min_cents?: number | undefined
  mall_ids?: number[] | undefined
  group_ids?: number[] | undefined
  words?: string[] | undefined
}
export const RULE_WORDS_MOST = 10
export const RULE_PLACES_MOST = 20
/** Days that a rule may be run back over. */
export const RULE_BACK_DAYS = 365

/** A name as names are compared: full-width as half-width, lower case, single spaces. */
export const foldedName = (name: string): string =>
  plainLine(name.normalize('NFKC')).replace(/\s+/g, ' ').toLowerCase()
/** What is wrong with names that are given at a time, or undefined. */
export const namesFault = (names: readonly string[]): Text | undefined => {
  if (names.some(name => foldedName(name) === '')) return ['请填写名称', 'Give it a name']
  if (names.some(name => lengthOf(name) > TAG_NAME_MAX))
    return ['名称最多 30 个字', 'A name has at most 30 characters']
  const twice = names.find(
    (name, at) => names.findIndex(one => foldedName(one) === foldedName(name)) < at,
  )
  return twice === undefined
    ? undefined
    : [`“${twice}”重复填写`, `${twice} stands twice among them`]
}
/** What is wrong with a rule, or undefined. */
export const tagRuleFault = (of: TagRule): Text | undefined => {
  const words = of.words ?? []
  if (of.kind === 'keyword' && words.length === 0)
    return ['请填写至少 1 个关键词', 'Give at least one word']
  if (words.some(word => foldedName(word).length < 2))
    return ['关键词至少 2 个字', 'A word has at least two characters']
  return of.kind === 'spend' && (of.min_cents ?? 0) < 0
    ? ['金额不能小于 0', 'No less than nothing']
    : undefined
}
/**
 * The tags of a relation once some were merged into another: each is there once, in order. Those
 * that none of them stood in stay as they were.
 */
export const mergedTags = (
  tag_ids: readonly number[],
  from: readonly number[],
  to: number,
): number[] => {
  if (!tag_ids.some(id => from.includes(id))) return [...tag_ids]
  return [...new Set([...tag_ids.filter(id => !from.includes(id)), to])].sort((a, b) => a - b)
}

export type TagVerb =
  | 'rename'
  | 'move'
  | 'merge'
  | 'setRule'
  | 'runRule'
  | 'del'
  | 'sort'
  | 'create'
type Standing = {
  is: 'group' | 'tag'
  state: TagState
  /** Tags of its group that stand. */
  siblings: number
  waiting: boolean
  rule: TagRule | null
}
const waits: Text = ['正在等待企微确认，请稍候', 'It waits for WeCom: a moment']
const lastOne: Text = ['标签组至少保留一个标签', 'A group keeps one tag at least']
const tagOnly: Text = ['请选择一个标签', 'Choose a tag']
const invalid: Text = [
  '标签在企微已失效，可删除，或在企微重新创建后恢复',
  'WeCom knows it no more: delete it, or make it there again',
]
/** Whether that can be done with a tag or a group now: true, or why not. */
export const tagCan = (verb: TagVerb, of: Standing): true | Text => {
  if (verb === 'create') return true
  if (of.waiting && verb !== 'setRule') return waits
  if (of.is === 'group') return ['rename', 'sort'].includes(verb) || tagOnly
  if (of.state === 'pending') return verb === 'del' || waits
  if (of.state === 'invalid') return ['del', 'merge'].includes(verb) || invalid
  if (verb === 'runRule')
    return of.rule?.on === true || ['没有启用的自动规则', 'No automatic rule is on']
  const leaves = verb === 'del' || verb === 'move'
  return !leaves || of.siblings > 1 || lastOne
}
