import { z } from 'zod'
import { LAYOUT_VERSION, layoutFault, PANES_MAX } from '#src/areas/workbench/layout.ts'
import { read, write } from '#src/contract/call.ts'
import { doneToday } from '#src/contract/done.ts'
import { id, keyText, searched, text, unix, version } from '#src/contract/shapes.ts'
import { joined } from '#src/domain/text.ts'

const layoutKinds = ['mine', 'team', 'role'] as const
/** Codes of links: letters and digits that are not taken for one another. */
const linkCode = z.string().regex(/^[2-9A-HJ-NP-Za-km-z]{12}$/, { message: 'kind' })
const pane = z.object({
  at: text(2000).regex(/^\/(?:manage|ecoupon)(?=[/?]|$)[^\s\\]*$/i, { message: 'kind' }),
  channel: z.int().min(1).max(6).optional(),
})
/** A layout as this version writes it; what older versions wrote is still answered. */
export const layoutState = z
  .object({
    v: z.literal(LAYOUT_VERSION),
    panes: z.array(pane).min(1).max(PANES_MAX),
    tree: keyText(1000, 1),
    focus: z
      .int()
      .min(0)
      .max(PANES_MAX - 1),
    maximised: z.boolean(),
  })
  .superRefine((value, context) => {
    const fault = layoutFault(value)
    if (fault)
      context.addIssue({ code: 'custom', path: [fault.field], message: joined(fault.message) })
  })
/** Whatever version wrote it: the console that opens it brings it up to date. */
const kept = z.record(z.string(), z.unknown())
const name = text(32)

const layoutRow = z.object({
  id,
  kind: z.enum(layoutKinds),
  name: z.string(),
  state: kept,
  version,
  /** The role it is recommended to, or the department it is shared with. */
  role_id: id.nullable(),
  for_name: z.string().nullable(),
  by_name: z.string(),
  updated_at: unix,
  /**
   * It begins the workbench of whoever never had a layout: the first of one's roles that has one.
   */
  start: z.boolean(),
  may_change: z.boolean(),
  /** Readings of its name, for the palette: full and by initials, with `|` between. */
  pinyin: z.string(),
})
export type LayoutRow = z.output<typeof layoutRow>
const one = { id, version }

export const done = doneToday

export const layouts = {
  lst: read('workbench/layouts', ['我的布局', 'My layouts'], {
    input: z.object({}),
    output: z.object({ list: z.array(layoutRow) }),
    touches: ['layout', 'me', 'role'],
    scope: 'own',
    permit: 'signed-in',
  }),
  save: write('workbench/layout/save', ['另存布局', 'Save a layout'], {
    input: z.object({ name, state: layoutState }),
    output: layoutRow,
    touches: ['layout'],
    scope: 'own',
    permit: 'signed-in',
  }),
  overwrite: write('workbench/layout/overwrite', ['更新布局', 'Overwrite a layout'], {
    input: z.object({ ...one, state: layoutState }),
    output: layoutRow,
    touches: ['layout'],
    scope: 'own',
    permit: 'signed-in',
  }),
  rename: write('workbench/layout/rename', ['重命名布局', 'Rename a layout'], {
    input: z.object({ ...one, name }),
    output: layoutRow,
    touches: ['layout'],
    scope: 'own',
    permit: 'signed-in',
  }),
  del: write('workbench/layout/del', ['删除布局', 'Delete a layout'], {
    input: z.object(one),
    output: z.object({ id, deleted: z.literal(true) }),
    touches: ['layout'],
    scope: 'own',
    permit: 'signed-in',
  }),
  /** For one's own department and those below it. */
  publish: write('workbench/layout/publish', ['发布团队布局', 'Publish to the team'], {
    input: z.object({ name, state: layoutState }),
    output: layoutRow,
    touches: ['layout'],
    scope: 'own',
    permit: 'home.publishLayout',
  }),
  /** One a role: `version` is that of the layout it takes the place of. */
  recommend: write('workbench/layout/recommend', ['设为角色推荐布局', 'Recommend to a role'], {
    input: z.object({ role_id: id, name, state: layoutState, version: version.optional() }),
    output: layoutRow,
    touches: ['layout'],
    scope: 'own',
    permit: 'home.recommendLayout',
  }),
  /** Roles to recommend to. */
  roles: read('workbench/layout/roles', ['可推荐的角色', 'Roles'], {
    input: z.object({
      keyword: searched(32).optional(),
      page: z.int().min(1).max(1000).default(1),
      pageSize: z.int().min(1).max(200).default(50),
    }),
    output: z.object({ list: z.array(z.object({ id, name: z.string() })), total: z.int() }),
    touches: ['role'],
    scope: 'all',
    permit: 'home.recommendLayout',
  }),
  /** The same layout of the same person has the same link. */
  link: write('workbench/layout/link', ['复制布局链接', 'Copy a layout link'], {
    input: z.object({ state: layoutState }),
    output: z.object({ code: linkCode }),
    touches: [],
    scope: 'own',
    permit: 'signed-in',
    quiet: true,
  }),
  linked: read('workbench/layout/linked', ['打开布局链接', 'Open a layout link'], {
    input: z.object({ code: linkCode }),
    output: z.object({ state: kept, by_name: z.string(), created_at: unix }),
    touches: [],
    scope: 'own',
    permit: 'signed-in',
  }),
}
