import { movesOf } from '#src/domain/moves.ts'
import { isLink, kindOf, type Block, type BlockKind, type BlockValue } from './blocks.ts'

/** The database keeps the keys of an object in an order of its own. */
const inOrder = (value: BlockValue | undefined): unknown =>
  isLink(value) ? [value.page_link_id, Object.entries(value.link_params).sort()] : (value ?? null)
/** Writes a block so that two alike give the same text, however they were stored. */
export const canonical = ({ kind, props }: Block): string =>
  JSON.stringify([kind, ...Object.keys(kindOf(kind).fields).map(name => inOrder(props[name]))])

export type BlockChange = {
  block: string
  kind: BlockKind
  how: 'added' | 'removed' | 'changed'
  /** It stands elsewhere among the blocks that both have. */
  moved: boolean
  fields: readonly string[]
}
const sameValue = (a: BlockValue | undefined, b: BlockValue | undefined): boolean =>
  JSON.stringify(inOrder(a)) === JSON.stringify(inOrder(b))
const movedAmong = (before: readonly Block[], after: readonly Block[]): ReadonlySet<string> => {
  const numbers = new Map(before.map(({ id }, at) => [id, at]))
  const known = after.flatMap(({ id }) => numbers.get(id) ?? [])
  const stay = before.flatMap((_, at) => (known.includes(at) ? [at] : []))
  return new Set(movesOf(stay, known).map(({ id }) => before[id]!.id))
}
/** How one state of a page differs from another: what is gone, then what is new or other, by place. */
export const changesOf = (before: readonly Block[], after: readonly Block[]): BlockChange[] => {
  const was = new Map(before.map(block => [block.id, block]))
  const stays = new Set(after.map(block => block.id))
  const moved = movedAmong(before, after)
  const gone = before.flatMap(({ id, kind }): BlockChange[] =>
    stays.has(id) ? [] : [{ block: id, kind, how: 'removed', moved: false, fields: [] }],
  )
  const others = after.flatMap(({ id, kind, props }): BlockChange[] => {
    const old = was.get(id)
    if (!old) return [{ block: id, kind, how: 'added', moved: false, fields: [] }]
    const fields = Object.keys(kindOf(kind).fields).filter(
      name => !sameValue(old.props[name], props[name]),
    )
    return fields.length > 0 || moved.has(id)
      ? [{ block: id, kind, how: 'changed', moved: moved.has(id), fields }]
      : []
  })
  return [...gone, ...others]
}
/** Whether two states of a page are one. */
export const samePage = (a: readonly Block[], b: readonly Block[]): boolean =>
  a.length === b.length && changesOf(a, b).length === 0
