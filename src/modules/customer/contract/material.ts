import { z } from 'zod'
import {
  AT_ONCE,
  CATEGORY_MOST,
  holderKinds,
  materialKinds,
  materialStates,
  mediaStates,
  TITLE_MOST,
} from '#src/areas/wecomMaterial/material.ts'
import { callsOf, one, reason } from '#src/contract/record.ts'
import {
  batchResult,
  id,
  keysOf,
  listOf,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'
import { materialBody, materialPicks, messagePiece } from '#src/contract/wecomMaterial.ts'

const n = z.int().min(0)
const words = z.string()
const category = text(CATEGORY_MOST)
const fields = {
  title: text(TITLE_MOST),
  category,
  valid_to_at: unix.nullable(),
  body: materialBody,
}
const figures = {
  /** Receivers of what WeCom has taken. */
  sends: n,
  /** Receivers who were sent a link of their own, those of them who opened it, and all openings. */
  linked: n,
  clickers: n,
  opens: n,
  /** Orders paid within 7 days after a click by the member who clicked. */
  orders: n,
}
export const materialRow = z.object({
  id,
  version,
  ...fields,
  kind: keysOf(materialKinds),
  content_n: n,
  owner: words,
  /** Messages that carry it, those in use first. */
  uses: z.array(
    z.object({ holder: keysOf(holderKinds), id, name: words, live: z.boolean(), codes: n }),
  ),
  uses_n: n,
  live_n: n,
  ...figures,
  media: z.object({
    state: keysOf(mediaStates),
    expire_at: unix.nullable(),
    error: words,
    errcode: z.int(),
    /** Somebody wants it there anew, and the clock has not done it yet. */
    waiting: z.boolean(),
  }),
  status: keysOf(materialStates),
  off_reason: words,
  updated_at: unix,
})
export type MaterialRow = z.output<typeof materialRow>

const filters = {
  keyword: searched(60).optional(),
  kind: keysOf(materialKinds).optional(),
  category: searched(CATEGORY_MOST, 1).optional(),
  status: keysOf(materialStates).optional(),
  media: keysOf(mediaStates).optional(),
  used: z.boolean().optional(),
  /** Past its end. */
  over: z.boolean().optional(),
  id: id.optional(),
}
const rows = 'wecom_material'
const call = callsOf('customer/material', { touches: [rows], rows: 'all' })
const view = 'customer.material.view'
const carriers = ['wecom_welcome', 'wecom_group_welcome', 'wecom_send']
const ending = z.object({ ...one, reason, replace_id: id.optional() })

/** The library of what messages to customers carry. */
export const customerMaterials = {
  lst: call.lists('lst', ['企微素材库', 'Material library'], {
    filters,
    row: materialRow,
    answer: { stat: z.record(z.string(), n), categories: z.array(words) },
    touches: [rows, 'wecom_media', 'wecom_material_send', ...carriers],
  }),
  versions: call.read('versions', ['版本与效果', 'Versions and results'], {
    /** `n` is the newest version that the asker knows of: with another it is asked anew. */
    input: z.object({ id, n: n.optional() }),
    output: z.object({
      list: z.array(
        z.object({ n, title: words, body: materialBody, created_at: unix, by: words, ...figures }),
      ),
      /** The sends and openings of all versions by who sent it; null: no adviser. */
      advisers: z.array(z.object({ staff_id: id.nullable(), name: words, sends: n, opens: n })),
    }),
    touches: ['wecom_material_send', 'wecom_staff'],
    permit: view,
  }),
  /** Materials of the same kind that may stand in the place of one. */
  others: call.read('others', ['可替换的素材', 'Materials instead'], {
    input: materialPicks.input.extend({ id }),
    output: listOf(z.object({ id, name: words, category: words })),
    permit: view,
  }),
  create: call.creates('create', ['新增素材', 'New material'], { fields }),
  edit: call.changes('edit', ['编辑素材', 'Edit the material'], { fields }),
  copy: call.changes('copy', ['复制素材', 'Copy the material']),
  move: call.write('move', ['移动分类', 'Move to a category'], {
    input: z.object({ ids: z.array(id).min(1).max(AT_ONCE), category }),
    output: batchResult,
  }),
  enable: call.changes('enable', ['启用素材', 'Turn the material on']),
  disable: call.write('disable', ['停用素材', 'Turn the material off'], {
    input: ending,
    output: z.object(one),
  }),
  replace: call.changes('replace', ['替换素材', 'Replace the material'], {
    fields: { replace_id: id },
    answer: { moved: n },
  }),
  refreshMedia: call.changes('refreshMedia', ['刷新媒体凭证', 'Put the file into WeCom anew'], {
    touches: [rows, 'wecom_media'],
  }),
  /** How it looks in the chat now, and what would keep it from being sent. */
  preview: call.write('preview', ['企微预览', 'Preview'], {
    input: z.object({ id }),
    output: z.object({
      title: words,
      n,
      text: words,
      pieces: z.array(messagePiece),
      problems: z.array(words),
    }),
    touches: [rows],
  }),
  del: call.write('del', ['删除素材', 'Delete the material'], {
    input: ending,
    output: z.object({ id, deleted: z.literal(true) }),
  }),
  export: call.startsExport('export', ['导出使用数据', 'Export usage data'], { filters }),
}
export type MaterialPreview = {
  title: string
  n: number
  text: string
  pieces: z.output<typeof messagePiece>[]
  problems: string[]
}
