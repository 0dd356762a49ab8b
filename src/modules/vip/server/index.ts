import { and, asc, eq, gt, ilike, inArray, ne, or, sql } from 'drizzle-orm'
import { claimCoupon, isGiven } from '#src/areas/coupon/claiming.server.ts'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { undoMergeOf } from '#src/areas/dedup/undoing.server.ts'
import { setLevel } from '#src/areas/level/growth.server.ts'
import { noteReveal } from '#src/areas/log/reveal.server.ts'
import { askAdjust, decideAdjust } from '#src/areas/member/adjusting.server.ts'
import { member_tag } from '#src/areas/member/care.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import {
  accountStates,
  agoBands,
  growthBands,
  memberTabs,
  pointsBands,
  registerSources,
  risks,
  vipBands,
} from '#src/areas/member/member.ts'
import {
  countTabs,
  heldMember,
  memberLists,
  members,
  type Member,
  type MemberFilters,
} from '#src/areas/member/members.server.ts'
import { mergeMember } from '#src/areas/member/merging.server.ts'
import { besideMember } from '#src/areas/member/side.server.ts'
import { setTags, tagIds } from '#src/areas/member/tagging.server.ts'
import { segmentOfMembers } from '#src/areas/segment/fromMembers.server.ts'
import { mobileOf } from '#src/domain/phone.ts'
import { comma, say } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { exporting } from '#src/server/call/record.ts'
import { begins, like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { defineRowJob, startRowJob, type NumberedRow } from '#src/server/jobs/rowJobs.ts'
import { membersPage as contract } from '../contract/index.ts'

const t = member
/** More rows than this are a job of their own, with what was refused by row. */
const AT_ONCE = 500
type Giving = { coupon_id: number; quantity: number; reason: string }
/** Gives a member pieces of a coupon, as staff do: stock, limits and benefits hold. */
const give = async (context: WriteContext, id: number, of: Giving): Promise<Member> => {
  const row = await members.read(context.tx, context.staff, id)
  const { coupon: after } = await claimCoupon(context.tx, {
    coupon_id: of.coupon_id,
    member_id: id,
    qty: of.quantity,
    kind: 'admin',
    now: context.now,
    by: { admin_id: context.staff.id, reason: of.reason },
  })
  members.log(context, row, {
    after: { coupon: after.name, quantity: of.quantity },
    reason: of.reason,
  })
  return row
}
type Tagging = { ids: readonly number[]; how: 'add' | 'remove' }
const tagOne = async (context: WriteContext, id: number, of: Tagging): Promise<Member> => {
  const row = await members.lock(context, id)
  return setTags(context, await heldMember(context, 'setTags', row), of)
}
type JobRow = NumberedRow & { id: number }
const manyTags = defineRowJob(contract.batchSetTags, (context, { id }: JobRow, of: Tagging) =>
  tagOne(context, id, of),
)
const manyCoupons = defineRowJob(contract.batchGrantCoupon, (context, { id }: JobRow, of: Giving) =>
  give(context, id, of),
)
/** The rows of a job, numbered as they were chosen. */
const numbered = (ids: readonly number[]): JobRow[] =>
  [...new Set(ids)].map((id, at) => ({ line: at + 1, id }))
const nothingYet = { ok: [], failed: [] }
const exportColumns = [
  { key: 'uid', title: ['会员号', 'Member'] },
  { key: 'nickname', title: ['昵称', 'Nickname'] },
  { key: 'phone', title: ['手机号', 'Phone'], field: 'member.phone' },
  { key: 'city_name', title: ['城市', 'City'] },
  { key: 'level', title: ['等级', 'Level'] },
  { key: 'growth', title: ['成长值', 'Growth'], kind: 'number' },
  { key: 'points', title: ['积分', 'Points'], kind: 'number' },
  { key: 'points_frozen', title: ['冻结积分', 'Frozen points'], kind: 'number' },
  { key: 'points_debt', title: ['积分欠账', 'Points owed'], kind: 'number' },
  { key: 'vip_end_at', title: ['付费会员到期', 'Paid until'], kind: 'time' },
  { key: 'total_paid_cents', title: ['累计实付', 'Total paid'], kind: 'money' },
  { key: 'order_count', title: ['订单数', 'Orders'], kind: 'number' },
  { key: 'last_order_at', title: ['最近下单', 'Last order'], kind: 'time' },
  { key: 'last_visit_at', title: ['最近访问', 'Last visit'], kind: 'time' },
  { key: 'register_at', title: ['注册时间', 'Joined'], kind: 'time' },
  { key: 'register_source', title: ['注册来源', 'Source'] },
  { key: 'tags', title: ['标签', 'Tags'] },
  { key: 'risk', title: ['风险', 'Risk'] },
  { key: 'account_state', title: ['账号状态', 'Account'] },
  { key: 'benefits', title: ['权益', 'Benefits'] },
] as const

const picks = {
  tags: async ({ page, pageSize, keyword }, { db }) => {
    const where = keyword ? ilike(member_tag.name, like(keyword)) : undefined
    const list = await db
      .select({ id: member_tag.id, name: member_tag.name })
      .from(member_tag)
      .where(where)
      .orderBy(asc(member_tag.name), asc(member_tag.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list, ...(await countOf(db, member_tag, where)) }
  },
  coupons: async ({ page, pageSize, keyword }, { db, now }) => {
    const where = and(
      isGiven(now),
      gt(coupon.total, coupon.claimed_count),
      keyword ? ilike(coupon.name, like(keyword)) : undefined,
    )
    const list = await db
      .select({
        id: coupon.id,
        name: coupon.name,
        left: sql<number>`${coupon.total} - ${coupon.claimed_count}`,
      })
      .from(coupon)
      .where(where)
      .orderBy(asc(coupon.claim_end_at), asc(coupon.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list, ...(await countOf(db, coupon, where)) }
  },
  targets: async ({ page, pageSize, keyword, but }, { db, staff }) => {
    const phone = keyword && staff.field('member.phone') === 'show' ? mobileOf(keyword) : undefined
    const where = and(
      members.seen(staff),
      inArray(t.account_state, ['normal', 'muted', 'banned']),
      but === undefined ? undefined : ne(t.id, but),
      keyword
        ? or(
            sql`${t.nickname} like ${begins(keyword)}`,
            eq(t.uid, keyword.toUpperCase()),
            phone ? eq(t.phone, phone) : undefined,
          )
        : undefined,
    )
    const list = await db
      .select({
        id: t.id,
        name: t.nickname,
        uid: t.uid,
        level: t.level,
        points: t.points,
        order_count: t.order_count,
      })
      .from(t)
      .where(where)
      .orderBy(asc(t.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list, ...(await countOf(db, t, where)) }
  },
} satisfies Pick<Handlers, 'tags' | 'coupons' | 'targets'>

type Handlers = { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }
const handlers = {
  ...picks,
  lst: async ({ page, pageSize, sort, ...filters }, context) => ({
    ...(await memberLists[sort ?? 'id'].page({ page, pageSize, ...filters }, context)),
    stat: await countTabs(context.db, context.staff, context.now),
  }),
  side: async ({ id }, { db, staff }) => besideMember(db, staff, await members.read(db, staff, id)),
  adjustPoints: ({ points_delta, reason, ...one }, context) =>
    askAdjust(context, one, { kind: 'points', delta: points_delta, reason }),
  adjustGrowth: ({ growth_delta, reason, ...one }, context) =>
    askAdjust(context, one, { kind: 'growth', delta: growth_delta, reason }),
  approveAdjust: (one, context) => decideAdjust(context, one, { state: 'posted' }),
  rejectAdjust: ({ reason, ...one }, context) =>
    decideAdjust(context, one, { state: 'rejected', reject_reason: reason }),
  changeLevel: async ({ level, keep_until_at, reason, ...one }, context) => {
    const was = await heldMember(context, 'changeLevel', one)
    const { staff, now } = context
    await members.set(context, was, {})
    await setLevel(context.tx, {
      member_id: was.id,
      level,
      keep_until_at,
      reason,
      operator_id: staff.id,
      now,
    })
    const after = await members.read(context.tx, staff, was.id)
    members.log(context, after, {
      before: { level: was.level, level_keep_until: was.level_keep_until },
      after: { level: after.level, level_keep_until: keep_until_at },
      reason,
    })
    return after
  },
  setTags: async ({ tag_ids, new_tag, ...one }, context) => {
    const was = await heldMember(context, 'setTags', one)
    return setTags(context, was, {
      ids: await tagIds(context.tx, { tag_ids, new_tag }),
      how: 'all',
    })
  },
  batchSetTags: async ({ ids, how, ...chosen }, context) => {
    const of: Tagging = { ids: await tagIds(context.tx, chosen), how }
    if (ids.length > AT_ONCE)
      return {
        ...nothingYet,
        job_id: (await startRowJob(context, manyTags, { rows: numbered(ids), same: of })).job_id,
      }
    return { ...(await eachRow(context, ids, (row, id) => tagOne(row, id, of))), job_id: null }
  },
  grantCoupon: async ({ id, ...of }, context) => {
    await give(context, id, of)
    return { id, codes: of.quantity }
  },
  batchGrantCoupon: async ({ ids, ...of }, context) => {
    if (ids.length > AT_ONCE)
      return {
        ...nothingYet,
        job_id: (await startRowJob(context, manyCoupons, { rows: numbered(ids), same: of })).job_id,
      }
    return { ...(await eachRow(context, ids, (row, id) => give(row, id, of))), job_id: null }
  },
  merge: ({ target_member_id, ...of }, context) =>
    mergeMember(context, of, { ...of, target_id: target_member_id }),
  undoMerge: ({ reason, ...one }, context) => undoMergeOf(context, one, reason),
  freezeBenefits: async ({ reason, ...one }, context) => {
    const was = await heldMember(context, 'freezeBenefits', one)
    return members.save(context, was, { benefits_frozen: true, benefits_reason: reason }, reason)
  },
  unfreezeBenefits: async ({ reason, ...one }, context) => {
    const was = await heldMember(context, 'unfreezeBenefits', one)
    return members.save(context, was, { benefits_frozen: false, benefits_reason: '' }, reason)
  },
  revealPhone: async ({ id, reason }, context) => {
    const row = await members.read(context.tx, context.staff, id)
    const of = { object_type: 'member', object_id: id, object_label: row.nickname }
    return {
      id,
      phone: row.phone,
      ...(await noteReveal(context, 'member.phone', of, reason)),
    }
  },
  saveSegment: ({ name, as, ...filters }, context) =>
    segmentOfMembers(context, { name, as, filters }),
  export: exporting(memberLists.id, {
    page: 'vip.index',
    title: ['会员', 'Members'],
    permit: contract.export.permit,
    columns: exportColumns,
    words: (of: MemberFilters, lang) => [
      of.account_state && say(accountStates[of.account_state], lang),
      of.level !== undefined && `V${of.level}`,
      of.register_source && say(registerSources[of.register_source], lang),
      of.points && say(pointsBands[of.points].words, lang),
      of.growth && say(growthBands[of.growth].words, lang),
      of.vip && say(vipBands[of.vip], lang),
      of.ordered && say(agoBands[of.ordered].words, lang),
      of.visited && say(agoBands[of.visited].words, lang),
      of.quick && say(memberTabs[of.quick], lang),
      of.keyword,
    ],
    cells: (row, { lang }) => ({
      ...row,
      level: `V${row.level}`,
      register_source: say(registerSources[row.register_source], lang),
      tags: row.tags.map(tag => tag.name).join(say(comma, lang)),
      risk: say(risks[row.risk], lang),
      account_state: say(accountStates[row.account_state], lang),
      benefits: say(row.benefits_frozen ? ['已冻结', 'Frozen'] : ['正常', 'In force'], lang),
    }),
  }),
} satisfies Handlers

export const membersServer = implement(contract, handlers)
