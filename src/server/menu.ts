import { commandsOf, modules } from '#commands/index.ts'
import type { Action, Page } from '#commands/command.ts'
import type { Lang } from '#src/domain/text.ts'

export type MenuNode = { id: number; title: string; redirect: string; children: MenuNode[] }

/** The same number for the same address, for ever: 31 bits of FNV-1a. A test asks that no two addresses share one. */
export const menuId = (path: string): number => {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(path)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return (hash >>> 1) || 1
}

const title = (of: { title: string; en: string }, lang: Lang) => (lang === 'en' ? of.en : of.title)

/** The left menu that a person may open: modules, below them their pages, a page below the page whose address it continues. */
export const menuFor = (can: (permit: string) => boolean, lang: Lang): MenuNode[] =>
  modules.flatMap(module => {
    const mine = commandsOf(module.commands).filter((one): one is Page => one.kind === 'page' && one.menu && can(one.permit))
    const nodes = new Map<string, MenuNode>(mine.map(page => [page.path, { id: menuId(page.path), title: title(page, lang), redirect: page.path, children: [] }]))
    const tops: MenuNode[] = []
    for (const [path, node] of nodes) {
      const above = [...nodes.keys()].filter(other => path.startsWith(`${other}/`)).sort((a, b) => b.length - a.length)[0]
      ;(above ? nodes.get(above)!.children : tops).push(node)
    }
    return tops.length > 0 ? [{ id: menuId(module.key), title: title(module, lang), redirect: '', children: tops }] : []
  })

const permits: readonly string[] = [...new Set(modules.flatMap(module => commandsOf(module.commands)).map((one: Page | Action) => one.permit))]
/** Every permission key of pages and actions, patterns resolved, that a person has. */
export const permitsFor = (can: (permit: string) => boolean): string[] => permits.filter(can)
