import { z } from 'zod'
import { menuTypes, type MenuType } from '#src/areas/people/menu.ts'
import { read, write } from '#src/contract/call.ts'
import { id, searched, text, unix, version } from '#src/contract/shapes.ts'

const type = z.enum(Object.keys(menuTypes) as [MenuType, ...MenuType[]])
export const menuRow = z.object({
  id,
  parent_id: id.nullable(),
  type,
  title: z.string(),
  en: z.string(),
  redirect: z.string(),
  perm: z.string().nullable(),
  icon: z.string(),
  sort: z.int(),
  visible: z.boolean(),
  keep_alive: z.boolean(),
  hidden_regions: z.array(z.string()),
  vanished_at: unix.nullable(),
  /** A page that stands alone; a detail page can't stand in the menu. */
  listed: z.boolean(),
  children: z.int(),
  version,
})
export type MenuRow = z.output<typeof menuRow>

const touches = ['menu'] as const
const view = 'system.menu.view'
const one = { id, version }
const done = z.object({ id, version })
const title = text(32)
const en = text(64, 0).optional()
const icon = text(32, 0).optional()
const regions = z.array(z.string().regex(/^[\w-]{1,16}$/)).max(20)

export const menu = {
  lst: read('system/menu/lst', ['运营菜单', 'Operations menu'], {
    input: z.object({}),
    output: z.object({ list: z.array(menuRow), missing: z.int() }),
    touches,
    scope: 'all',
    permit: view,
  }),
  /** Known pages that stand nowhere visible: what a new entry may lead to. */
  routes: read('system/menu/routes', ['可用路由', 'Routes to choose'], {
    input: z.object({
      page: z.int().min(1).default(1),
      pageSize: z.int().min(1).max(200).default(50),
      keyword: searched(64).optional(),
    }),
    output: z.object({
      list: z.array(z.object({ id, path: z.string(), title: z.string() })),
      total: z.int(),
    }),
    touches,
    scope: 'all',
    permit: view,
  }),
  /** Entries that others may stand under. */
  parents: read('system/menu/parents', ['可选上级', 'Parents'], {
    input: z.object({
      page: z.int().min(1).default(1),
      pageSize: z.int().min(1).max(200).default(50),
      keyword: searched(64).optional(),
    }),
    output: z.object({ list: z.array(z.object({ id, title: z.string() })), total: z.int() }),
    touches,
    scope: 'all',
    permit: view,
  }),
  /** The roles that have the right of a node. */
  grants: read('system/menu/grants', ['被授权的角色', 'Roles that have it'], {
    input: z.object({ id }),
    output: z.object({ roles: z.array(z.object({ id, name: z.string() })) }),
    touches: ['menu', 'role'],
    scope: 'all',
    permit: view,
  }),
  create: write('system/menu/create', ['新增菜单', 'New menu entry'], {
    input: z.object({
      parent_id: id.optional(),
      type,
      title,
      en,
      redirect: text(128, 0).optional(),
      perm: text(64, 0).optional(),
      icon,
    }),
    output: done,
    touches,
    scope: 'all',
    permit: 'system.menu.create',
  }),
  edit: write('system/menu/edit', ['编辑菜单', 'Edit menu entry'], {
    input: z.object({ ...one, title, en, icon, hidden_regions: regions.optional() }),
    output: done,
    touches,
    scope: 'all',
    permit: 'system.menu.edit',
  }),
  move: write('system/menu/move', ['移动菜单', 'Move menu entry'], {
    input: z.object({
      ...one,
      parent_id: id.optional(),
      sort: z.int().min(0).max(9999).default(9999),
    }),
    output: done,
    touches,
    scope: 'all',
    permit: 'system.menu.move',
  }),
  toggleVisible: write('system/menu/toggleVisible', ['显示或隐藏菜单', 'Show or hide'], {
    input: z.object(one),
    output: z.object({ id, version, visible: z.boolean() }),
    touches,
    scope: 'all',
    permit: 'system.menu.toggleVisible',
  }),
  toggleKeepAlive: write(
    'system/menu/toggleKeepAlive',
    ['切换页面缓存', 'Keep the page alive or not'],
    {
      input: z.object(one),
      output: z.object({ id, version, keep_alive: z.boolean() }),
      touches,
      scope: 'all',
      permit: 'system.menu.toggleKeepAlive',
    },
  ),
  /** Adds what the console has and the menu lacks, marks what it no longer has; deletes nothing. */
  syncRoutes: write('system/menu/syncRoutes', ['同步路由清单', 'Sync routes'], {
    input: z.object({}),
    output: z.object({ added: z.int(), vanished: z.int(), returned: z.int() }),
    touches,
    scope: 'all',
    permit: 'system.menu.syncRoutes',
  }),
  /**
   * Rights that no enabled role gives (but the super administrator's), and rights that roles name
   * and nothing has.
   */
  findUnused: read('system/menu/findUnused', ['检查未使用的权限', 'Find unused rights'], {
    input: z.object({}),
    output: z.object({
      unused: z.array(z.object({ perm: z.string(), title: z.string() })),
      unknown: z.array(z.object({ perm: z.string(), roles: z.array(z.string()) })),
    }),
    touches: ['menu', 'role'],
    scope: 'all',
    permit: 'system.menu.findUnused',
  }),
  del: write('system/menu/del', ['删除菜单', 'Delete menu entry'], {
    input: z.object(one),
    output: z.object({ id }),
    touches,
    scope: 'all',
    permit: 'system.menu.del',
  }),
}
