/** A graph whose nodes stand in columns by their kind, and how one walks through it by keys. */
type GraphNode = { id: string; kind: string; name: string; note: string }
type GraphLink = { from: string; to: string; what: string }
export type GraphData = { nodes: readonly GraphNode[]; links: readonly GraphLink[] }

const columnOf = (kinds: readonly string[], { kind }: GraphNode) => kinds.indexOf(kind)
/** Where each node stands: a column for each kind, its nodes at even distances; 0 to 100 each way. */
export const placesOf = (
  { nodes }: GraphData,
  kinds: readonly string[],
): ReadonlyMap<string, { x: number; y: number }> => {
  const places = new Map<string, { x: number; y: number }>()
  for (const kind of kinds) {
    const own = nodes.filter(node => node.kind === kind)
    own.forEach((node, at) =>
      places.set(node.id, {
        x: (columnOf(kinds, node) * 100) / Math.max(1, kinds.length - 1),
        y: ((at + 1) * 100) / (own.length + 1),
      }),
    )
  }
  return places
}
export type Step = 'ArrowRight' | 'ArrowLeft' | 'ArrowDown' | 'ArrowUp' | 'Home' | 'End'
/**
 * The node that a key goes to: right and left along the links, up and down among its kind, home and
 * end to the first and the last. Stays where no way leads on; begins at the first.
 */
export const walked = (of: GraphData, at: string | undefined, step: Step): string | undefined => {
  const { nodes, links } = of
  const here = nodes.find(node => node.id === at)
  if (!here || step === 'Home') return nodes[0]?.id
  if (step === 'End') return nodes.at(-1)?.id
  if (step === 'ArrowRight') return links.find(link => link.from === at)?.to ?? at
  if (step === 'ArrowLeft') return links.find(link => link.to === at)?.from ?? at
  const own = nodes.filter(node => node.kind === here.kind)
  const next = own.indexOf(here) + (step === 'ArrowDown' ? 1 : -1)
  return (own[next] ?? here).id
}
/** What leads to a node and what from it, by the names at the other end. */
export const linksAt = (of: GraphData, id: string): { what: string; names: string[] }[] => {
  const named = new Map(of.nodes.map(node => [node.id, node.name]))
  const by = new Map<string, string[]>()
  for (const link of of.links) {
    if (link.from !== id && link.to !== id) continue
    const other = named.get(link.from === id ? link.to : link.from) ?? ''
    by.set(link.what, [...(by.get(link.what) ?? []), other])
  }
  return [...by].map(([what, names]) => ({ what, names }))
}
