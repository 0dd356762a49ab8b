import { z } from 'zod'
import { storeStates, type StoreState } from '#src/areas/mall/mall.ts'
import {
  activityKinds,
  activityProblems,
  activityStates,
  type ActivityKind,
  type ActivityProblem,
  type ActivityState,
} from '#src/areas/storeActivity/activity.ts'
import { placed, read } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  batchResult,
  cents,
  id,
  keysOf,
  keyText,
  lines,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'

const kind = keysOf<ActivityKind>(activityKinds)
const state = keysOf<ActivityState>(activityStates)
const weekday = z.int().min(1).max(7)
/** 0 outside any mall. */
const mid = z.int().min(0).max(2147483647)
const announced = {
  kind,
  title: z.string(),
  content: z.string(),
  image: z.string(),
  threshold_cents: cents.nullable(),
  reduce_cents: cents.nullable(),
  discount_x10: z.int().nullable(),
  start_at: unix,
  end_at: unix,
  weekdays: z.array(weekday),
  is_top: z.boolean(),
}
export const activityRow = z.object({
  id,
  ...announced,
  store_id: id,
  store_name: z.string(),
  store_status: keysOf<StoreState>(storeStates),
  city_name: z.string(),
  mid,
  mall_name: z.string(),
  status: state,
  reason: z.string(),
  view_count: z.int(),
  /** The app shows it at this moment. */
  is_shown: z.boolean(),
  problems: z.array(keysOf<ActivityProblem>(activityProblems)),
  created_at: unix,
  version,
})
export type ActivityRow = z.output<typeof activityRow>

const money = z.int().min(1).max(100_000_000)
const fields = {
  kind,
  title: text(20),
  content: lines(500, 1),
  image: keyText(255).default(''),
  threshold_cents: money.optional(),
  reduce_cents: money.optional(),
  discount_x10: z.int().min(1).max(100).optional(),
  start_at: unix,
  end_at: unix,
  weekdays: z.array(weekday).max(7).default([]),
}
const filters = {
  keyword: searched(40).optional(),
  status: state.optional(),
  kind: kind.optional(),
  city_id: id.optional(),
  mid: mid.optional(),
  /** Online, and over before the week is. */
  ending: z.boolean().optional(),
  topped: z.boolean().optional(),
  /** It may mislead whoever reads it. */
  problem: z.boolean().optional(),
}
const call = callsOf('shop/activity', {
  touches: ['store_activity'],
  rows: 'store_activity',
})
const ids = z.array(id).min(1).max(100)
const named = z.object({ id, name: z.string(), place: z.string() })

/** What stores announce: with an audit, for a time, and at most two at the top of a mall. */
export const shopActivity = {
  lst: call.lists('lst', ['门店活动', 'Store activities'], {
    filters,
    row: activityRow,
    answer: {
      stat: z.record(z.string(), z.int()),
      /** Open stores of the places filtered by that announce nothing until the week ends. */
      silent: z.int(),
    },
    touches: ['store_activity', 'store'],
  }),
  /** Stores that may announce something. */
  stores: call.lists('stores', ['可发布活动的门店', 'Stores to announce for'], {
    filters: { keyword: searched(40).optional(), but: id.optional() },
    row: named,
    touches: ['store'],
    scope: placed('store'),
    permit: 'shop.activity.view',
  }),
  create: call.creates('create', ['新增活动', 'Create an activity'], {
    fields: { store_id: id, ...fields },
    scope: placed('store', { store_id: 'store' }),
  }),
  /** An approved one goes to an audit again, unless its picture alone changes. */
  edit: call.changes('edit', ['编辑活动', 'Edit an activity'], {
    fields,
    answer: { status: state },
  }),
  approve: call.changes('approve', ['通过审核', 'Approve an activity']),
  reject: call.changes('reject', ['驳回活动', 'Reject an activity'], { fields: { reason } }),
  online: call.changes('online', ['上线活动', 'Put an activity online']),
  offline: call.changes('offline', ['下线活动', 'Take an activity offline'], {
    fields: { reason },
  }),
  setTop: call.changes('setTop', ['置顶活动', 'Pin an activity']),
  unsetTop: call.changes('unsetTop', ['取消置顶', 'Unpin an activity']),
  copyToStores: call.write('copyToStores', ['复制到门店', 'Copy to stores'], {
    input: z.object({ id, store_ids: z.array(id).min(1).max(50) }),
    output: z.object({
      made: z.int(),
      failed: z.array(z.object({ id, name: z.string(), msg: z.string() })),
    }),
    scope: placed('store_activity', { id: 'store_activity', store_ids: 'store' }),
  }),
  batchApprove: call.write('batchApprove', ['批量通过', 'Approve activities'], {
    input: z.object({ ids }),
    output: batchResult,
    scope: placed('store_activity', 'ids'),
  }),
  batchOffline: call.write('batchOffline', ['批量下线', 'Take activities offline'], {
    input: z.object({ ids, reason }),
    output: batchResult,
    scope: placed('store_activity', 'ids'),
  }),
  export: call.startsExport('export', ['导出活动', 'Export activities'], { filters }),
  /** For the app: what a store announces now, or a mall's stores do, those at the top first. */
  shown: read('shop/activities', ['门店正在进行的活动', 'Current store activities'], {
    input: z.object({ store_id: id.optional(), mid: id.optional() }),
    output: z.object({
      list: z.array(z.object({ id, store_id: id, store_name: z.string(), ...announced })),
    }),
    touches: ['store_activity', 'store'],
    scope: { none: 'What stores announce is told to everybody' },
    permit: 'public',
  }),
}
