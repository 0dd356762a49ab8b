import { canonical } from '#src/areas/scheme/blockChanges.ts'
import { type Block } from '#src/areas/scheme/blocks.ts'
import { threeWay, type Chosen, type MergeLine } from '../merge.ts'

type Three = { base: readonly Block[]; theirs: readonly Block[]; mine: readonly Block[] }
const byId = (blocks: readonly Block[]) => new Map(blocks.map(block => [block.id, block]))
const told = (blocks: readonly Block[]) =>
  Object.fromEntries(blocks.map(block => [block.id, canonical(block)]))

/** Block by block, what became of a page that two people changed; a block that is gone is null. */
export const mergeLines = ({ base, theirs, mine }: Three): MergeLine[] => {
  const names = [...new Set([...base, ...theirs, ...mine].map(({ id }) => id))]
  const [was, now, own] = [told(base), told(theirs), told(mine)]
  const whole = (of: Record<string, string>) =>
    Object.fromEntries(names.map(name => [name, of[name] ?? null]))
  return threeWay(names, whole(was), whole(now), { changed: whole(own), based: whole(was) })
}
const isMoved = (base: readonly Block[], mine: readonly Block[]): boolean => {
  const [was, own] = [byId(base), byId(mine)]
  const shared = (blocks: readonly Block[]) =>
    blocks.flatMap(({ id }) => (was.has(id) && own.has(id) ? [id] : [])).join()
  return shared(base) !== shared(mine)
}
/**
 * The page of both: what one alone changed is taken, of what both changed the chosen one. The order is
 * mine where I moved something, else theirs.
 */
export const mergedBlocks = (three: Three, chosen: Chosen): Block[] => {
  const lines = new Map(mergeLines(three).map(line => [line.name, line]))
  const [theirs, mine] = [byId(three.theirs), byId(three.mine)]
  const keep = (id: string): Block | undefined => {
    const line = lines.get(id)
    const isTheirs =
      line?.how === 'theirs' || (line?.how === 'both' && (chosen[id] ?? 'theirs') === 'theirs')
    return (isTheirs ? theirs : mine).get(id)
  }
  const [first, second] = isMoved(three.base, three.mine)
    ? [three.mine, three.theirs]
    : [three.theirs, three.mine]
  const order = first.map(({ id }) => id)
  second.forEach(({ id }, at) => {
    if (order.includes(id)) return
    const before = second.slice(0, at).findLast(one => order.includes(one.id))
    order.splice(before ? order.indexOf(before.id) + 1 : 0, 0, id)
  })
  return order.flatMap(id => keep(id) ?? [])
}
