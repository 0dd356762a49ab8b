import { sections } from '#commands/contents.ts'
import type { Result } from '#src/contract/call.ts'
import type { session } from '#src/modules/session/contract.ts'
import { HOME, pathOf, tidy } from './address.ts'

export type MenuNode = Result<typeof session.menu>[number]
/** An entry and all below it. */
export const allOf = (nodes: readonly MenuNode[]): MenuNode[] =>
  nodes.flatMap(node => [node, ...allOf(node.children)])
/**
 * The menu entry of an address: its path, shortened part by part until one matches (specification,
 * section 2).
 */
export const activeEntry = (nodes: readonly MenuNode[], at: string): MenuNode | undefined => {
  const entries = new Map(
    allOf(nodes).flatMap(node =>
      node.redirect ? [[pathOf(tidy(node.redirect)).toLowerCase(), node] as const] : [],
    ),
  )
  for (
    let path = pathOf(tidy(at)).toLowerCase();
    path !== '';
    path = path.slice(0, path.lastIndexOf('/'))
  ) {
    const found = entries.get(path)
    if (found) return found
  }
  return undefined
}

/** The module that an entry of the menu belongs to, by the addresses below it. */
export const sectionOf = (node: MenuNode) => {
  const redirect = allOf([node]).find(one => one.redirect !== '')?.redirect
  const key = redirect?.slice(HOME.length + 1).split(/[/?]/, 1)[0]
  return sections.find(section => section.key === key)
}
/** How much of a module somebody may open, in thirds. */
const thirdsOf = (node: MenuNode): number => {
  const listed = sectionOf(node)?.pages.filter(page => page.menu).length ?? 0
  const open = allOf(node.children).filter(one => one.redirect !== '').length
  return listed === 0 ? 0 : Math.min(3, Math.ceil((3 * open) / listed))
}
/**
 * Modules in the order of the day's work: those that a person's rights are made for come first,
 * what sets the house up last; modules that are alike keep the order of the menu.
 */
export const inWorkOrder = (nodes: readonly MenuNode[]): MenuNode[] =>
  nodes
    .map(node => ({ node, setup: sectionOf(node)?.setup === true, thirds: thirdsOf(node) }))
    .sort((a, b) => Number(a.setup) - Number(b.setup) || b.thirds - a.thirds)
    .map(({ node }) => node)
