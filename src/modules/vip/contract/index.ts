import { z } from 'zod'
import { MEMBER_LEVELS } from '#src/areas/member/levels.ts'
import {
  accountStates,
  ADJUST_MAX,
  adjustKinds,
  adjustStates,
  agoBands,
  genders,
  growthBands,
  memberTabs,
  pointsBands,
  registerSources,
  risks,
  vipBands,
} from '#src/areas/member/member.ts'
import { segmentAs } from '#src/areas/segment/customerFilters.ts'
import { placed } from '#src/contract/call.ts'
import { memberFinds } from '#src/contract/finds.ts'
import { callsOf, one, reason } from '#src/contract/record.ts'
import {
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

const state = keysOf(accountStates)
const tag = z.object({ id, name: z.string() })
export const memberRow = z.object({
  id,
  version,
  uid: z.string(),
  nickname: z.string(),
  phone: guarded('member.phone', z.string()),
  gender: keysOf(genders),
  city_id: id,
  city_name: z.string(),
  register_at: unix,
  register_source: keysOf(registerSources),
  inviter_id: id.nullable(),
  inviter_name: z.string(),
  level: z.int(),
  level_keep_until: unix.nullable(),
  growth: z.int(),
  points: z.int(),
  points_frozen: z.int(),
  points_debt: z.int(),
  vip_end_at: unix.nullable(),
  total_paid_cents: cents,
  order_count: z.int(),
  last_order_at: unix.nullable(),
  last_visit_at: unix.nullable(),
  benefits_frozen: z.boolean(),
  benefits_reason: z.string(),
  account_state: state,
  merged_into: id.nullable(),
  merged_name: z.string(),
  /** When it went into another, while that stands. */
  merged_at: unix.nullable(),
  tags: z.array(tag),
  risk: keysOf(risks),
  /** An adjustment that waits for a second person. */
  adjust: z
    .object({
      id,
      version,
      kind: keysOf(adjustKinds),
      delta: z.int(),
      reason: z.string(),
      state: keysOf(adjustStates),
      maker_id: id,
      maker: z.string(),
      created_at: unix,
    })
    .nullable(),
})
export type MemberRow = z.output<typeof memberRow>

const filters = {
  keyword: searched(40).optional(),
  account_state: state.optional(),
  city_id: id.optional(),
  level: z.int().min(0).max(MEMBER_LEVELS).optional(),
  points: keysOf(pointsBands).optional(),
  growth: keysOf(growthBands).optional(),
  vip: keysOf(vipBands).optional(),
  register_source: keysOf(registerSources).optional(),
  ordered: keysOf(agoBands).optional(),
  visited: keysOf(agoBands).optional(),
  tag_id: id.optional(),
  quick: keysOf(memberTabs).optional(),
  member_id: id.optional(),
}
const rows = 'member'
const call = callsOf('vip/index', { touches: [rows], rows })
const view = 'vip.index.view'
const moved = z.object({
  id,
  kind: z.string(),
  delta: z.int(),
  balance_after: z.int(),
  note: z.string(),
  at: unix,
})
const delta = z
  .int()
  .min(-ADJUST_MAX)
  .max(ADJUST_MAX)
  .refine(n => n !== 0, { message: '不能为 0' })
const tags = { tag_ids: z.array(id).max(50), new_tag: text(12).optional() }
const ids = z.array(id).min(1).max(50_000)
const begun = batchResult.extend({ job_id: id.nullable() })
const picked = { ...page, keyword: searched(20).optional() }
const adjusted = { waits: z.boolean() }
const decided = { touches: [rows, 'member_adjust'], scope: placed('member_adjust', 'id') }

/** Members: who they are, what they have, and what is done for one or for many. */
export const membersPage = {
  lst: call.read('lst', ['会员列表', 'Members'], {
    input: z.object({
      ...page,
      ...filters,
      sort: z.enum(['paid', 'points', 'growth']).optional(),
    }),
    output: z.object({ ...listOf(memberRow).shape, stat: z.record(z.string(), z.int()) }),
    finds: memberFinds,
    touches: [rows, 'member_adjust', 'member_tag', 'order'],
    permit: view,
  }),
  /** What stands beside one member: ledgers, coupons, orders, sellers, devices. */
  side: call.read('side', ['会员侧栏', 'Beside a member'], {
    input: z.object({ id }),
    output: z.object({
      points: z.array(moved),
      growth: z.array(moved),
      coupons: z.array(
        z.object({ id, name: z.string(), status: z.string(), end_at: unix, created_at: unix }),
      ),
      coupons_unused: z.int(),
      orders: z.array(
        z.object({
          id,
          order_no: z.string(),
          kind: z.string(),
          status: z.string(),
          pay_cents: cents,
          created_at: unix,
        }),
      ),
      sellers: z.array(
        z.object({ id, name: z.string(), role: z.string(), bind_at: unix, expire_at: unix }),
      ),
      /** This member and others of the same phone, side by side; none where it is the only one. */
      twins: z.array(
        z.object({
          id,
          uid: z.string(),
          nickname: z.string(),
          level: z.int(),
          growth: z.int(),
          points: z.int(),
          points_debt: z.int(),
          order_count: z.int(),
          total_paid_cents: cents,
          vip_end_at: unix.nullable(),
          register_at: unix,
        }),
      ),
      devices: z.array(z.object({ device_id: z.string(), n: z.int(), others: z.int(), at: unix })),
    }),
    touches: [rows, 'order', 'coupon', 'dist_binding'],
    scope: placed(rows, 'id'),
    permit: view,
  }),
  tags: call.read('tags', ['会员标签', 'Tags of members'], {
    input: z.object(picked),
    output: listOf(tag),
    touches: ['member_tag'],
    scope: 'all',
    permit: view,
  }),
  coupons: call.read('coupons', ['可发放的优惠券', 'Coupons to give'], {
    input: z.object(picked),
    output: listOf(z.object({ id, name: z.string(), left: z.int() })),
    touches: ['coupon'],
    scope: 'all',
    permit: view,
  }),
  /** Members that another one could go into. */
  targets: call.read('targets', ['可并入的会员', 'Members to merge into'], {
    input: z.object({ ...picked, but: id.optional() }),
    output: listOf(
      z.object({
        id,
        name: z.string(),
        uid: z.string(),
        level: z.int(),
        points: z.int(),
        order_count: z.int(),
      }),
    ),
    permit: view,
  }),
  adjustPoints: call.changes('adjustPoints', ['调整积分', 'Adjust points'], {
    fields: { points_delta: delta, reason },
    answer: adjusted,
    touches: [rows, 'member_adjust', 'points_ledger'],
  }),
  adjustGrowth: call.changes('adjustGrowth', ['调整成长值', 'Adjust growth'], {
    fields: { growth_delta: delta, reason },
    answer: adjusted,
    touches: [rows, 'member_adjust', 'growth_ledger'],
  }),
  approveAdjust: call.changes('approveAdjust', ['通过调整', 'Approve an adjustment'], {
    ...decided,
    touches: [...decided.touches, 'points_ledger', 'growth_ledger'],
  }),
  rejectAdjust: call.changes('rejectAdjust', ['驳回调整', 'Reject an adjustment'], {
    ...decided,
    fields: { reason },
  }),
  changeLevel: call.changes('changeLevel', ['指定等级', 'Set the level'], {
    fields: { level: z.int().min(0).max(MEMBER_LEVELS), keep_until_at: unix, reason },
    touches: [rows, 'growth_ledger'],
  }),
  setTags: call.changes('setTags', ['打标签', 'Set tags'], {
    fields: tags,
    touches: [rows, 'member_tag'],
  }),
  batchSetTags: call.write('batchSetTags', ['批量打标签', 'Tag in bulk'], {
    input: z.object({ ids, ...tags, how: z.enum(['add', 'remove']) }),
    output: begun,
    touches: [rows, 'member_tag', 'job'],
    scope: placed(rows, { ids: rows }),
  }),
  grantCoupon: call.write('grantCoupon', ['发放优惠券', 'Issue a coupon'], {
    input: z.object({ id, coupon_id: id, quantity: z.int().min(1).max(20), reason }),
    output: z.object({ id, codes: z.int() }),
    touches: [rows, 'coupon'],
    scope: placed(rows, { id: rows }),
  }),
  batchGrantCoupon: call.write('batchGrantCoupon', ['批量发券', 'Issue coupons to selected'], {
    input: z.object({ ids, coupon_id: id, quantity: z.int().min(1).max(20), reason }),
    output: begun,
    touches: [rows, 'coupon', 'job'],
    scope: placed(rows, { ids: rows }),
  }),
  merge: call.changes('merge', ['合并重复账号', 'Merge an account'], {
    /** The number of the one that goes, typed once more. */
    fields: { target_member_id: id, typed_uid: text(12), reason },
    touches: [rows, 'order', 'coupon', 'dist_binding', 'points_ledger', 'growth_ledger'],
    scope: placed(rows, { id: rows, target_member_id: rows }),
  }),
  /** Takes back the merge by which this account went into another, with all that its case merged. */
  undoMerge: call.changes('undoMerge', ['撤销合并', 'Undo the merge'], {
    fields: { reason },
    touches: [
      rows,
      'order',
      'coupon',
      'dist_binding',
      'points_ledger',
      'growth_ledger',
      'customer_dup',
    ],
  }),
  freezeBenefits: call.changes('freezeBenefits', ['冻结会员权益', 'Freeze benefits'], {
    fields: { reason },
  }),
  unfreezeBenefits: call.changes('unfreezeBenefits', ['恢复会员权益', 'Restore benefits'], {
    fields: { reason },
  }),
  revealPhone: call.write('revealPhone', ['查看完整手机号', 'Reveal the phone'], {
    input: z.object({ id: one.id, reason }),
    output: z.object({ id, phone: open('What was asked for', z.string()), ...revealed }),
    touches: ['field_key'],
  }),
  saveSegment: call.write('saveSegment', ['保存筛选为人群', 'Save as a segment'], {
    input: z.object({ name: text(40), as: keysOf(segmentAs).default('rule'), ...filters }),
    output: z.object({ id, version, name: z.string(), customer_count: z.int() }),
    finds: memberFinds,
    touches: ['segment'],
    scope: placed(rows),
  }),
  export: call.startsExport('export', ['导出会员', 'Export members'], { filters }),
}
