import { z } from 'zod'
import {
  adjustStates,
  groupStates,
  LEVELS,
  sellerKinds,
  sellerStates,
  type AdjustState,
  type GroupState,
  type SellerKind,
  type SellerState,
} from '#src/areas/distribution/sellers.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, one, reason } from '#src/contract/record.ts'
import {
  basisPoints,
  batchResult,
  cents,
  guarded,
  id,
  keysOf,
  listOf,
  open,
  page,
  revealed,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'

const status = keysOf<SellerState>(sellerStates)
const kind = keysOf<SellerKind>(sellerKinds)
const gmv = guarded('stat.gmv_cents', cents)
export const level = z.int().min(1).max(LEVELS)
/** What hangs on a seller: told before it is frozen or quits. */
const effects = z.object({
  customers: z.int(),
  estimated_cents: cents,
  on_hold_cents: cents,
  balance_cents: cents,
})
export const sellerRow = z.object({
  id,
  version,
  kind,
  name: z.string(),
  phone: guarded('distributor.phone', z.string()),
  level_no: z.int(),
  group_id: id.nullable(),
  group_name: z.string(),
  /** The team that it goes to at 00:00, or '' where it leaves; null where nothing was ordered. */
  moves_to: z.string().nullable(),
  is_leader: z.boolean(),
  inviter_name: z.string(),
  invite_code: z.string(),
  store_name: z.string(),
  city_name: z.string(),
  mall_name: z.string(),
  customer_count: z.int(),
  order_count: z.int(),
  gmv_cents: gmv,
  /** Refunds of sales, in basis points. */
  refund_bp: z.int(),
  /** By the journal, and by the commission of orders that were paid. */
  estimated_cents: cents,
  frozen_cents: cents,
  balance_cents: cents,
  debt_cents: cents,
  withdrawing_cents: cents,
  withdrawn_cents: cents,
  last_sale_at: unix.nullable(),
  real_name_ok: z.boolean(),
  apply_note: z.string(),
  reason: z.string(),
  status,
  quitting: z.boolean(),
  paused: z.boolean(),
  joined_at: unix.nullable(),
  created_at: unix,
  /** An adjustment of its commission that waits for a second person. */
  adjust: z
    .object({
      id,
      version,
      amount_cents: cents,
      reason: z.string(),
      state: keysOf<AdjustState>(adjustStates),
      maker_id: id,
      maker: z.string(),
    })
    .nullable(),
  effects: effects.optional(),
})
export type SellerRow = z.output<typeof sellerRow>
export const teamRow = z.object({
  id,
  version,
  kind: z.literal('team'),
  name: z.string(),
  city_name: z.string(),
  leader_id: id.nullable(),
  leader_name: z.string(),
  leader_bp: guarded('product.commission_bp', basisPoints),
  member_count: z.int(),
  member_limit: z.int(),
  /** What was paid through its members this month, while they were in it. */
  gmv_cents: gmv,
  target_cents: guarded('stat.gmv_cents', cents.nullable()),
  merged_into_name: z.string(),
  reason: z.string(),
  status: keysOf<GroupState>(groupStates),
  created_at: unix,
})
export type TeamRow = z.output<typeof teamRow>

const filters = {
  kind: kind.optional(),
  keyword: searched(40).optional(),
  status: status.optional(),
  level_no: level.optional(),
  city_id: id.optional(),
  mid: z.int().min(0).max(2147483647).optional(),
  group_id: id.optional(),
  /** Nothing was sold through them for thirty days. */
  idle: z.boolean().optional(),
  /** Much of what was sold through them was given back. */
  refunding: z.boolean().optional(),
}
const rows = 'distributor'
const call = callsOf('distribution/index', { touches: [rows], rows })
const view = 'distribution.index.view'
const ids = z.array(id).min(1).max(500)
const batch = { output: batchResult, scope: placed(rows, { ids: rows }) }
const moves = [rows, 'dist_group']
const picked = { ...page, keyword: searched(20).optional() }

/** Sellers of three kinds, and their teams. */
export const sellersPage = {
  lst: call.read('lst', ['分销员列表', 'Sellers'], {
    input: z.object({ ...page, ...filters, sort: z.enum(['gmv']).optional() }),
    output: z.object({
      ...listOf(sellerRow).shape,
      stat: z.record(z.string(), z.int()),
    }),
    touches: [...moves, 'dist_commission', 'withdrawal'],
    finds: { keyword: { phone: ['distributor.phone'] } },
    permit: view,
  }),
  teams: call.lists('teams', ['分销团队列表', 'Teams'], {
    filters: {
      keyword: searched(20).optional(),
      status: keysOf<GroupState>(groupStates).optional(),
      city_id: id.optional(),
    },
    row: teamRow,
    touches: moves,
    scope: placed('dist_group'),
    permit: view,
  }),
  /** Living teams to choose from. */
  teamOptions: call.read('teamOptions', ['可选团队', 'Teams to choose'], {
    input: z.object({ ...picked, but: id.optional() }),
    output: listOf(z.object({ id, name: z.string(), city_name: z.string(), left: z.int() })),
    touches: moves,
    scope: placed('dist_group'),
    permit: view,
  }),
  /** Active experts to choose from: those in no team, or the members of one. */
  expertOptions: call.read('expertOptions', ['可选达人', 'Experts to choose'], {
    input: z.object({ ...picked, group_id: id.optional() }),
    output: listOf(z.object({ id, name: z.string(), level_no: z.int(), city_name: z.string() })),
    touches: moves,
    permit: view,
  }),
  effects: call.read('effects', ['分销员牵涉', 'Impact on a seller'], {
    input: z.object({ id }),
    output: effects,
    scope: placed(rows, 'id'),
    permit: view,
  }),
  approve: call.changes('approve', ['通过申请', 'Approve an application'], {
    fields: { level_no: level, group_id: id.optional() },
    touches: moves,
    scope: placed(rows, { id: rows, group_id: 'dist_group' }),
  }),
  reject: call.changes('reject', ['驳回申请', 'Reject an application'], { fields: { reason } }),
  setLevel: call.changes('setLevel', ['调整等级', 'Set the level'], {
    fields: { level_no: level, reason },
  }),
  /** From 00:00 of the next day, for whoever is in a team already. */
  setGroup: call.changes('setGroup', ['调整团队', 'Set the team'], {
    fields: { group_id: id, reason },
    touches: moves,
    scope: placed(rows, { id: rows, group_id: 'dist_group' }),
  }),
  createGroup: call.creates('createGroup', ['新增团队', 'Create a team'], {
    fields: { name: text(20), leader_id: id, leader_bp: basisPoints.max(1000) },
    touches: moves,
    scope: placed('dist_group', { leader_id: rows }),
  }),
  setLeader: call.changes('setLeader', ['设为团长', 'Make leader'], {
    fields: { reason },
    touches: moves,
  }),
  freeze: call.changes('freeze', ['冻结资格', 'Freeze a seller'], { fields: { reason } }),
  unfreeze: call.changes('unfreeze', ['恢复资格', 'Unfreeze a seller']),
  quit: call.changes('quit', ['清退', 'Remove a seller'], {
    fields: { reason },
    answer: { released: z.int(), on_hold_cents: cents },
    touches: [...moves, 'dist_binding'],
  }),
  batchSetLevel: call.write('batchSetLevel', ['批量调整等级', 'Set the level of several'], {
    input: z.object({ ids, level_no: level, reason }),
    ...batch,
  }),
  batchFreeze: call.write('batchFreeze', ['批量冻结', 'Freeze selected'], {
    input: z.object({ ids, reason }),
    ...batch,
  }),
  revealPhone: call.write('revealPhone', ['查看手机号', 'Reveal the phone'], {
    input: z.object({ id: one.id, reason }),
    output: z.object({ id, phone: open('What was asked for', z.string()), ...revealed }),
    touches: ['field_key'],
  }),
  export: call.startsExport('export', ['导出分销员', 'Export sellers'], { filters }),
}
