import { z } from 'zod'
import { viewShares, type ViewShare } from '#src/areas/workbench/view.ts'
import { read, write } from './call.ts'
import { id, keyText, searched, text, version } from './shapes.ts'

const key = keyText(40)
const keys = z.array(key).max(60)
const look = z.object({
  order: keys,
  shown: keys,
  widths: z.record(key, z.int().min(40).max(900)),
  pinned: keys,
  dense: z.boolean(),
})
const share = z.enum(Object.keys(viewShares) as [ViewShare])
const view = z.object({
  id,
  version,
  page: z.string(),
  name: z.string(),
  pinyin: z.string(),
  search: z.string(),
  look: look.nullable(),
  share,
  mine: z.boolean(),
  owner: z.string(),
  /** The name of the department or the role that it is for. */
  audience: z.string(),
  role_id: id.nullable(),
  is_default: z.boolean(),
})
export type View = z.output<typeof view>
const of = { name: text(32), search: text(1000, 0), look: look.nullable() }
const one = { id, version }

export const views = {
  /** Every view that I may open: mine, my department's, my roles'. */
  lst: read('views/lst', ['我的视图', 'My views'], {
    input: z.object({}),
    output: z.array(view),
    touches: ['view', 'role', 'me'],
    scope: 'own',
    permit: 'signed-in',
  }),
  save: write('views/save', ['保存视图', 'Save a view'], {
    input: z.object({
      page: z
        .string()
        .regex(/^\/(?:manage|ecoupon)[\w/:-]*$/)
        .max(128),
      ...of,
      is_default: z.boolean().default(false),
    }),
    output: view,
    touches: ['view'],
    scope: 'own',
    permit: 'signed-in',
  }),
  /** What is published needs the right to publish. */
  edit: write('views/edit', ['修改视图', 'Change a view'], {
    input: z.object({
      ...one,
      ...z.object(of).partial().shape,
      is_default: z.boolean().optional(),
    }),
    output: view,
    touches: ['view'],
    scope: 'own',
    permit: 'signed-in',
  }),
  del: write('views/del', ['删除视图', 'Delete a view'], {
    input: z.object(one),
    output: z.object({ id }),
    touches: ['view'],
    scope: 'own',
    permit: 'signed-in',
  }),
  /**
   * For one's department, for the holders of a role, or back to oneself alone. As a default it
   * takes the place of the one before.
   */
  publish: write('views/publish', ['发布视图', 'Publish a view'], {
    input: z.object({
      ...one,
      share,
      role_id: id.optional(),
      is_default: z.boolean().default(false),
    }),
    output: view,
    touches: ['view'],
    scope: 'own',
    permit: 'home.publishView',
  }),
  roles: read('views/roles', ['可发布到的角色', 'Roles to publish to'], {
    input: z.object({
      page: z.int().min(1).max(100_000).default(1),
      pageSize: z.int().min(1).max(200).default(20),
      keyword: searched(32).optional(),
    }),
    output: z.object({ list: z.array(z.object({ id, name: z.string() })), total: z.int() }),
    touches: ['role'],
    scope: 'all',
    permit: 'home.publishView',
  }),
}
