import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Action, Page } from '#commands/command.ts'
import { commandsOf } from '#commands/contents.ts'
import { modules } from '#commands/index.ts'
import type { Lang, Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { menu } from './people.table.ts'

/** `keep_alive` only where the menu says otherwise than the page itself. */
export type MenuNode = {
  id: number
  title: string
  redirect: string
  keep_alive?: boolean | undefined
  children: MenuNode[]
}

/**
 * The same number for the same address, for ever: 31 bits of FNV-1a. A test asks that no two
 * addresses share one.
 */
const menuId = (path: string): number => {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(path)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash >>> 1 || 1
}

const title = (of: { title: string; en: string }, lang: Lang) =>
  (lang === 'en' && of.en) || of.title
const sections = modules.map(module => ({
  key: module.key,
  title: module.title as string,
  en: module.en as string,
  pages: commandsOf(module.commands).filter((one): one is Page => one.kind === 'page'),
}))
export const pageByPath: ReadonlyMap<string, Page> = new Map(
  sections.flatMap(section => section.pages.map(page => [page.path, page])),
)

/** Pages below the one whose address they continue. */
const nested = (nodes: readonly MenuNode[]): MenuNode[] => {
  const byPath = new Map(nodes.map(node => [node.redirect, node]))
  const tops: MenuNode[] = []
  for (const node of nodes) {
    const above = [...byPath.keys()]
      .filter(path => node.redirect.startsWith(`${path}/`))
      .sort((a, b) => b.length - a.length)[0]
    ;(above === undefined ? tops : byPath.get(above)!.children).push(node)
  }
  return tops
}

/**
 * The left menu that a person may open: the order, titles and visibility of the menu table (page
 * "operations console menu"), a page that it does not know yet at the end of its module. Hiding
 * takes away an entry, never a right.
 */
export const menuFor = async (
  db: Db,
  can: (permit: string) => boolean,
  lang: Lang,
  region = 'pro',
): Promise<MenuNode[]> => {
  const rows = await db
    .select()
    .from(menu)
    .where(and(eq(menu.side, 'ops'), inArray(menu.type, ['dir', 'page']), isNull(menu.vanished_at)))
    .orderBy(menu.sort, menu.id)
  const shown = (row: { visible: boolean; hidden_regions: string[] }) =>
    row.visible && !row.hidden_regions.includes(region)
  const known = new Set(rows.map(row => row.redirect))
  const dirs = [
    ...rows
      .filter(row => row.type === 'dir')
      .map(row => ({ row, section: sections.find(one => one.key === row.perm) })),
    ...sections
      .filter(section => !rows.some(row => row.type === 'dir' && row.perm === section.key))
      .map(section => ({ row: undefined, section })),
  ]
  return dirs.flatMap(({ row: dir, section }) => {
    if (dir && !shown(dir)) return []
    const mine = dir
      ? rows.filter(row => row.parent_id === dir.id && row.type === 'page' && shown(row))
      : []
    const nodes = [
      ...mine.flatMap((row): MenuNode[] => {
        const page = pageByPath.get(row.redirect)
        return page && can(page.permit)
          ? [
              {
                id: menuId(page.path),
                title: title(row, lang),
                redirect: page.path,
                ...(row.keep_alive === page.keepAlive ? {} : { keep_alive: row.keep_alive }),
                children: [],
              },
            ]
          : []
      }),
      ...(section?.pages ?? [])
        .filter(page => page.menu && !known.has(page.path) && can(page.permit))
        .map((page): MenuNode => ({
          id: menuId(page.path),
          title: title(page, lang),
          redirect: page.path,
          children: [],
        })),
    ]
    return nodes.length > 0
      ? [
          {
            id: section ? menuId(section.key) : menuId(`dir ${dir!.id}`),
            title: title(dir ?? section!, lang),
            redirect: '',
            children: nested(nodes),
          },
        ]
      : []
  })
}

/** What is no right of anybody's own. */
export const open: ReadonlySet<string> = new Set(['signed-in', 'public'])
const permits: readonly string[] = [
  ...new Set(
    modules.flatMap(module => commandsOf(module.commands)).map((one: Page | Action) => one.permit),
  ),
]
/** Every right that a page or an action of the console asks for. */
export const knownPermits: readonly string[] = permits.filter(permit => !open.has(permit))
/** Every permission key of pages and actions, patterns resolved, that a person has. */
export const permitsFor = (can: (permit: string) => boolean): string[] => permits.filter(can)

type PermLeaf = { key: string; title: string; en: string; danger: boolean }
export type PermModule = {
  key: string
  title: string
  en: string
  pages: { path: string; title: string; en: string; leaves: PermLeaf[] }[]
}
/**
 * Modules, their pages and the rights on each: the view first, then each action's, a right once.
 */
export const permTree: readonly PermModule[] = (() => {
  const seen = new Set<string>(open)
  const once = (leaf: PermLeaf): PermLeaf[] =>
    seen.has(leaf.key) ? [] : (seen.add(leaf.key), [leaf])
  return modules.flatMap(module => {
    const commands = commandsOf(module.commands)
    const actions = commands.filter((one): one is Action => one.kind === 'action')
    const pages = commands
      .filter((one): one is Page => one.kind === 'page')
      .map(page => ({
        path: page.path,
        title: page.title,
        en: page.en,
        leaves: [
          ...once({ key: page.permit, title: '查看', en: 'View', danger: false }),
          ...actions
            .filter(action => action.at === page)
            .flatMap(action =>
              once({
                key: action.permit,
                title: action.title,
                en: action.en,
                danger: action.danger ?? false,
              }),
            ),
        ],
      }))
      .filter(page => page.leaves.length > 0)
    return pages.length > 0
      ? [{ key: module.key, title: module.title as string, en: module.en as string, pages }]
      : []
  })
})()
/** What a right is called: 员工账号 · 停用账号. */
export const permTitles: ReadonlyMap<string, { title: string; en: string }> = new Map(
  permTree.flatMap(module =>
    module.pages.flatMap(page =>
      page.leaves.map(
        leaf =>
          [
            leaf.key,
            { title: `${page.title} · ${leaf.title}`, en: `${page.en} · ${leaf.en}` },
          ] as const,
      ),
    ),
  ),
)

/** What the modules of the menu are called; a permission begins with one of these keys. */
export const moduleTitles: Readonly<Record<string, Text>> = Object.fromEntries(
  modules.map(({ key, title, en }) => [key, [title, en] as const]),
)
