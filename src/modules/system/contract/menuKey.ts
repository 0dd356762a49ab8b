import { z } from 'zod'
import { fieldModes, type FieldMode } from '#src/areas/people/rights.ts'
import { placed, read, write } from '#src/contract/call.ts'
import {
  id,
  keysOf,
  keyText,
  lines,
  listOf,
  page,
  searched,
  text,
  unix,
  version,
  asksExport,
  exportBegun,
} from '#src/contract/shapes.ts'
import { maskRules, type MaskRule } from '#src/domain/mask.ts'

const rule = keysOf<MaskRule>(maskRules)
const mode = keysOf<FieldMode>(fieldModes)
export const fieldKeyRow = z.object({
  id,
  key: z.string(),
  title: z.string(),
  entity: z.string(),
  mask_rule: rule,
  default_mode: mode,
  status: z.enum(['on', 'off']),
  sample: z.string(),
  overrides: z.array(z.object({ role_id: id, role: z.string(), mode })),
  reveals_30d: z.int(),
  reveals_a_day: z.int(),
  /** Some answer of the server carries it. */
  guarded: z.boolean(),
  version,
})
export type FieldKeyRow = z.output<typeof fieldKeyRow>

const rights = ['field_key', 'role', 'me'] as const
const view = 'system.menuKey.view'
const one = { id, version }
const done = z.object({ id, version })
const filters = {
  keyword: searched(32).optional(),
  entity: searched(32).optional(),
  mode: mode.optional(),
  status: z.enum(['on', 'off']).optional(),
}

export const menuKey = {
  lst: read('system/menuKey/lst', ['系统字段', 'System fields'], {
    input: z.object({ ...page, ...filters }),
    output: listOf(fieldKeyRow),
    touches: ['field_key', 'role'],
    scope: 'all',
    permit: view,
  }),
  create: write('system/menuKey/create', ['新增字段', 'New field'], {
    input: z.object({
      key: z
        .string()
        .trim()
        .regex(/^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/)
        .max(64),
      title: text(32),
      entity: z
        .string()
        .regex(/^[a-z][a-z0-9_]*$/)
        .max(32),
      mask_rule: rule,
      default_mode: mode,
    }),
    output: done,
    touches: rights,
    scope: 'all',
    permit: 'system.menuKey.create',
  }),
  edit: write('system/menuKey/edit', ['编辑字段', 'Edit field'], {
    input: z.object({
      ...one,
      title: text(32),
      mask_rule: rule,
      reveals_a_day: z.int().min(0).max(10_000).optional(),
    }),
    output: done,
    touches: rights,
    scope: 'all',
    permit: 'system.menuKey.edit',
  }),
  setDefault: write('system/menuKey/setDefault', ['设置默认展示方式', 'Set the default'], {
    input: z.object({ ...one, mode }),
    output: done,
    touches: rights,
    scope: 'all',
    permit: 'system.menuKey.setDefault',
  }),
  testMask: read('system/menuKey/testMask', ['试算脱敏效果', 'Try the mask'], {
    method: 'POST',
    input: z.object({ mask_rule: rule, sample: text(200, 0) }),
    output: z.object({ masked: z.string() }),
    touches: [],
    scope: 'all',
    permit: 'system.menuKey.testMask',
  }),
  viewReveals: read('system/menuKey/viewReveals', ['明文查看记录', 'Reveal log'], {
    input: z.object({ ...page, key: keyText(64) }),
    output: listOf(
      z.object({
        id,
        admin_name: z.string(),
        object_type: z.string(),
        object_id: id.nullable(),
        object_label: z.string(),
        reason: z.string().nullable(),
        ip: z.string().nullable(),
        created_at: unix,
      }),
    ),
    touches: ['field_key'],
    scope: placed('op_log'),
    permit: 'system.menuKey.viewReveals',
  }),
  disable: write('system/menuKey/disable', ['停用字段', 'Disable field'], {
    input: z.object({ ...one, reason: lines(200, 2) }),
    output: done,
    touches: rights,
    scope: 'all',
    permit: 'system.menuKey.disable',
  }),
  enable: write('system/menuKey/enable', ['启用字段', 'Enable field'], {
    input: z.object(one),
    output: done,
    touches: rights,
    scope: 'all',
    permit: 'system.menuKey.enable',
  }),
  export: write('system/menuKey/export', ['导出字段清单', 'Export fields'], {
    input: z.object({ ...filters, ...asksExport() }),
    output: exportBegun,
    touches: ['export'],
    scope: 'all',
    permit: 'system.menuKey.export',
  }),
}
