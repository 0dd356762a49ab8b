import { z } from 'zod'
import { merchantRoleKeys, VERSION, type MerchantRole } from '#src/areas/people/menu.ts'
import { placed, read, write } from '#src/contract/call.ts'
import { id, searched, text, version } from '#src/contract/shapes.ts'
import { joined } from '#src/domain/text.ts'

const role = z.enum(merchantRoleKeys as [MerchantRole, ...MerchantRole[]])
const appVersion = z
  .string()
  .trim()
  .regex(VERSION, { message: joined(['如 2.1.0', 'Such as 2.1.0']) })
export const merchantMenuRow = z.object({
  id,
  parent_id: id.nullable(),
  type: z.enum(['dir', 'page']),
  title: z.string(),
  redirect: z.string(),
  perm: z.string().nullable(),
  sort: z.int(),
  visible: z.boolean(),
  packages: z.array(role),
  gray_city_ids: z.array(id),
  gray_store_ids: z.array(id),
  gray_names: z.object({
    cities: z.record(z.string(), z.string()),
    stores: z.record(z.string(), z.string()),
  }),
  min_app_version: z.string().nullable(),
  children: z.int(),
  version,
})
export type MerchantMenuRow = z.output<typeof merchantMenuRow>

const touches = ['menu'] as const
const view = 'system.bulksMenu.view'
const one = { id, version }
const done = z.object({ id, version })
const keyword = searched(32).optional()
const finding = {
  page: z.int().min(1).default(1),
  pageSize: z.int().min(1).max(200).default(50),
  keyword,
}

export const bulksMenu = {
  lst: read('system/bulksMenu/lst', ['商家端菜单', 'Merchant menu'], {
    input: z.object({}),
    output: z.object({ list: z.array(merchantMenuRow) }),
    touches,
    scope: 'all',
    permit: view,
  }),
  stores: read('system/bulksMenu/stores', ['选择门店', 'Choose stores'], {
    input: z.object(finding),
    output: z.object({
      list: z.array(z.object({ id, name: z.string(), city_name: z.string() })),
      total: z.int(),
    }),
    touches: ['store'],
    scope: placed('store'),
    permit: view,
  }),
  /** Entries that others may stand under. */
  parents: read('system/bulksMenu/parents', ['可选上级', 'Parents'], {
    input: z.object(finding),
    output: z.object({ list: z.array(z.object({ id, title: z.string() })), total: z.int() }),
    touches,
    scope: 'all',
    permit: view,
  }),
  create: write('system/bulksMenu/create', ['新增商家菜单', 'New merchant entry'], {
    input: z.object({
      parent_id: id.optional(),
      title: text(32),
      redirect: text(128, 0).optional(),
      perm: text(64, 0).optional(),
      min_app_version: appVersion.optional(),
    }),
    output: done,
    touches,
    scope: 'all',
    permit: 'system.bulksMenu.create',
  }),
  edit: write('system/bulksMenu/edit', ['编辑商家菜单', 'Edit merchant entry'], {
    input: z.object({ ...one, title: text(32), min_app_version: appVersion.optional() }),
    output: done,
    touches,
    scope: 'all',
    permit: 'system.bulksMenu.edit',
  }),
  move: write('system/bulksMenu/move', ['移动商家菜单', 'Move merchant entry'], {
    input: z.object({
      ...one,
      parent_id: id.optional(),
      sort: z.int().min(0).max(9999).default(9999),
    }),
    output: done,
    touches,
    scope: 'all',
    permit: 'system.bulksMenu.move',
  }),
  toggleVisible: write(
    'system/bulksMenu/toggleVisible',
    ['上线或下线商家菜单', 'Release or take offline'],
    {
      input: z.object(one),
      output: z.object({ id, version, visible: z.boolean() }),
      touches,
      scope: 'all',
      permit: 'system.bulksMenu.toggleVisible',
    },
  ),
  setPackages: write(
    'system/bulksMenu/setPackages',
    ['设置适用商家角色', 'Set the merchant roles'],
    {
      input: z.object({ ...one, roles: z.array(role).max(8) }),
      output: done,
      touches,
      scope: 'all',
      permit: 'system.bulksMenu.setPackages',
    },
  ),
  grayRelease: write('system/bulksMenu/grayRelease', ['灰度发布', 'Gradual release'], {
    input: z.object({
      ...one,
      city_ids: z.array(id).max(200).default([]),
      store_ids: z.array(id).max(500).default([]),
    }),
    output: done,
    touches,
    scope: 'all',
    permit: 'system.bulksMenu.grayRelease',
  }),
  stopGray: write('system/bulksMenu/stopGray', ['结束灰度', 'End gradual release'], {
    input: z.object({ ...one, to: z.enum(['full', 'withdraw']) }),
    output: done,
    touches,
    scope: 'all',
    permit: 'system.bulksMenu.stopGray',
  }),
  /** What a merchant account of this role sees in this store, with an app of this version. */
  preview: read('system/bulksMenu/preview', ['按门店预览菜单', 'Preview by store'], {
    input: z.object({ store_id: id, role, app_version: appVersion.optional() }),
    output: z.object({
      store: z.string(),
      city: z.string(),
      list: z.array(
        z.object({
          id,
          parent_id: id.nullable(),
          title: z.string(),
          redirect: z.string(),
          gray: z.boolean(),
        }),
      ),
      left_out: z.array(
        z.object({ title: z.string(), why: z.enum(['version', 'gray', 'role', 'off']) }),
      ),
    }),
    touches,
    scope: placed('store', { store_id: 'store' }),
    permit: 'system.bulksMenu.preview',
  }),
  del: write('system/bulksMenu/del', ['删除商家菜单', 'Delete merchant entry'], {
    input: z.object(one),
    output: z.object({ id }),
    touches,
    scope: 'all',
    permit: 'system.bulksMenu.del',
  }),
}
