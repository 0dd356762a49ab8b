import { z } from 'zod'
import { ladderStates } from '#src/areas/level/level.ts'
import { MEMBER_LEVELS } from '#src/areas/member/levels.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import { id, keysOf, lines, text, unix, version } from '#src/contract/shapes.ts'

const state = keysOf(ladderStates)
const no = z.int().min(0).max(MEMBER_LEVELS)
const growth = z.int().min(0).max(100_000_000)
const earned = z.int().min(0).max(10_000)
const rate = z.int().min(10_000).max(100_000)
const earns = {
  /** So many cents paid earn one growth. */
  buy_cents: z.int().min(1).max(1_000_000),
  sign: earned,
  comment: earned,
  comment_daily: z.int().min(0).max(100),
  profile: earned,
  achieve: earned,
}
const fields = {
  name: text(8),
  growth_min: growth,
  keep_growth: growth,
  keep_days: z.int().min(0).max(3650),
  points_multiplier_bp: rate,
  /** The part of the price that is paid: 9500 is 9.5 折. */
  discount_bp: z.int().min(1000).max(10_000),
  benefits: z.array(text(20)).max(12),
  gift_points: z.int().min(0).max(1_000_000),
}
const step = z.object({ no, ...fields })
/** A level of a version of the rules. */
export const levelRow = z.object({
  id,
  /** That of its version of the rules, which is changed as one. */
  version,
  ladder_id: id,
  ladder_no: z.int(),
  state,
  ...step.shape,
  /** Its threshold in the rules in force; null where they have no such level. */
  live_growth_min: z.int().nullable(),
  /** Members that have it now. */
  member_count: z.int(),
  merged: z.array(z.object({ level: no, into: no })),
  earns: z.object(earns),
  based_on: z.int().nullable(),
  reason: z.string(),
  reject_reason: z.string(),
  effective_at: unix.nullable(),
  published_at: unix.nullable(),
  maker_id: id.nullable(),
  maker: z.string(),
  checker: z.string(),
  recalc_done: z.boolean(),
})
export type LevelRow = z.output<typeof levelRow>
const call = callsOf('vip/rules', { touches: ['level_ladder'], rows: 'all' })
const view = 'vip.rules.view'
const members = ['level_ladder', 'member']

/** The ladder of levels, what earns growth, and the agreement with members. */
export const rules = {
  lst: call.lists('lst', ['等级规则', 'Level rules'], {
    filters: { status: state.optional(), ladder_no: z.int().min(1).optional() },
    row: levelRow,
    answer: { stat: z.record(z.string(), z.int()) },
    touches: [...members, 'agreement'],
  }),
  /** The newest versions beside each other. */
  versions: call.read('versions', ['版本对比', 'Versions compared'], {
    input: z.object({}),
    output: z.object({
      list: z.array(z.object({ id, no: z.int(), state, levels: z.array(step) })),
      agreement: z.object({ version_no: z.string(), effective_at: unix }).nullable(),
    }),
    touches: ['level_ladder', 'agreement'],
    permit: view,
  }),
  /** How many members each level has now and would have by a version, as far as the reader sees. */
  simulate: call.read('simulate', ['测算等级分布', 'Simulate level distribution'], {
    input: z.object({ id }),
    output: z.object({
      no: z.int(),
      levels: z.array(z.object({ no, name: z.string(), now: z.int(), tried: z.int() })),
      up: z.int(),
      /** They fall only when their keep dates come. */
      down: z.int(),
      same: z.int(),
    }),
    touches: members,
  }),
  addLevel: call.changes('addLevel', ['新增等级', 'Add a level'], { fields }),
  editLevel: call.changes('editLevel', ['编辑等级', 'Edit a level'], { fields: { no, ...fields } }),
  removeLevel: call.changes('removeLevel', ['删除等级', 'Remove a level'], {
    fields: { no, into: no },
  }),
  /** Keeps what earns growth; begins a draft from the rules in force where there is none. */
  saveDraft: call.changes('saveDraft', ['保存草稿', 'Save the draft'], { fields: earns }),
  publish: call.changes('publish', ['发布规则', 'Publish the rules'], {
    fields: { effective_at: unix.optional(), reason },
  }),
  approve: call.changes('approve', ['复核通过', 'Approve'], { touches: members }),
  reject: call.changes('reject', ['驳回', 'Reject'], { fields: { reason } }),
  rollback: call.changes('rollback', ['回滚到版本', 'Return to a version'], { fields: { reason } }),
  editAgreement: call.write('editAgreement', ['编辑会员协议', 'Edit the member agreement'], {
    input: z.object({ content: lines(20_000, 20), summary: text(255, 2) }),
    output: z.object({ id, version_no: z.string() }),
    touches: ['agreement'],
    scope: 'all',
  }),
}
export type LevelSent = z.output<z.ZodObject<typeof fields>>
