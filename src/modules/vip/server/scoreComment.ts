import { and, eq, gte, inArray, isNotNull, isNull, lte, sql, type SQL } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { issuedByRule } from '#src/areas/points/byRule.server.ts'
import type { CommentConfig } from '#src/areas/pointsRule/earning.ts'
import {
  heldRule,
  refuseOverlap,
  ruleRecord,
  turnRuleOff,
  turnRuleOn,
} from '#src/areas/pointsRule/ruleRecord.server.ts'
import { ruleRows } from '#src/areas/pointsRule/ruleRows.server.ts'
import { reviewFigures } from '#src/areas/review/figures.server.ts'
import { comment, comment_reward as t } from '#src/areas/review/review.table.ts'
import { deleters, noRewards, rewardStates } from '#src/areas/review/review.ts'
import { featureReview, revokeReward, type Reward } from '#src/areas/review/rewards.server.ts'
import { joined, say } from '#src/domain/text.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { equal, exporting, listing, record } from '#src/server/call/record.ts'
import { within } from '#src/server/call/scope.ts'
import { begins } from '#src/server/db/like.ts'
import {
  commentRewards,
  commentRules,
  type RewardFilters,
  type RewardRow,
} from '../contract/scoreComment.ts'

const placesOf = (id: SQL | typeof t.store_id | typeof comment.store_id) => ({
  city: sql`(select s.city_id from store s where s.id = ${id})`,
  mall: sql`(select s.mall_id from store s where s.id = ${id})`,
})
const rewards = record(t, {
  object: 'comment_reward',
  label: row => joined([`评价 ${row.comment_id}`, `Review ${row.comment_id}`]),
  keys: ['state', 'revoke_reason'],
  places: ({ scope }) => within(scope, placesOf(t.store_id)),
})
const heldComment = (context: WriteContext, one: { id: number; version: number }) =>
  heldRule(context, one, ['comment'])

const ruleHandlers = {
  lst: async (asked, { db, now }) => {
    const { list, ...told } = await ruleRows(db, 'comment', asked, await issuedByRule(db, now))
    return { list: list.map(row => ({ ...row, ...(row.config as CommentConfig) })), ...told }
  },
  stat: (_, { db, staff, now }) =>
    reviewFigures(
      db,
      {
        seen: rewards.seen(staff),
        stores: within(staff.scope, placesOf(comment.store_id)),
      },
      now,
    ),
  save: async (
    { id, version, star, text, text_min, images, video, featured, ...span },
    context,
  ) => {
    const was = await heldComment(context, { id, version })
    await refuseOverlap(context, was, { ...span, mids: was.mids })
    const config: CommentConfig = { star, text, text_min, images, video, featured }
    return ruleRecord.save(context, was, { ...span, config })
  },
  enable: async (one, context) => turnRuleOn(context, await heldComment(context, one)),
  disable: async ({ reason, ...one }, context) =>
    turnRuleOff(context, await heldComment(context, one), reason),
} satisfies { [K in keyof typeof commentRules]: Handler<(typeof commentRules)[K]> }

const ofComment = (where: SQL | undefined): SQL | undefined =>
  where && inArray(t.comment_id, sql`(select ${comment.id} from ${comment} where ${where})`)
const where = ({ keyword, featured, deleted_by, from, to, ...same }: RewardFilters) =>
  and(
    equal(t, same),
    keyword
      ? sql`${t.member_id} in (select m.id from member m
        where m.uid = ${keyword} or m.nickname like ${begins(keyword)})`
      : undefined,
    featured === undefined
      ? undefined
      : ofComment(featured ? isNotNull(comment.featured_at) : isNull(comment.featured_at)),
    ofComment(deleted_by && eq(comment.deleted_by, deleted_by)),
    from === undefined ? undefined : gte(t.at, from),
    to === undefined ? undefined : lte(t.at, to),
  )
const shown = async (db: Db, rows: Reward[]): Promise<RewardRow[]> => {
  if (rows.length === 0) return []
  const found = await db
    .select({
      id: t.id,
      nickname: member.nickname,
      uid: member.uid,
      store_name: store.name,
      title: order_item.title,
      order_no: order.order_no,
      rating: comment.rating,
      text: comment.text,
      images_n: sql<number>`jsonb_array_length(${comment.images})`,
      has_video: sql<boolean>`${comment.video} <> ''`,
      comment_state: comment.state,
      featured_at: comment.featured_at,
      deleted_at: comment.deleted_at,
      deleted_by: comment.deleted_by,
      operator: sql<string>`coalesce(${admin.name}, '')`,
    })
    .from(t)
    .innerJoin(comment, eq(comment.id, t.comment_id))
    .innerJoin(member, eq(member.id, t.member_id))
    .innerJoin(store, eq(store.id, t.store_id))
    .innerJoin(order_item, eq(order_item.id, t.order_item_id))
    .innerJoin(order, eq(order.id, order_item.order_id))
    .leftJoin(admin, eq(admin.id, t.operator_id))
    .where(
      inArray(
        t.id,
        rows.map(row => row.id),
      ),
    )
  const byId = new Map(found.map(({ id, ...one }) => [id, one]))
  return rows.map(row => ({ ...row, ...byId.get(row.id)! }))
}
const list = listing(rewards, { by: t.id, down: true, where, shown })
const rewardHandlers = {
  lst: (asked, context) => list.page(asked as never, context),
  revoke: async ({ reason, ...one }, context) => {
    const { tx, staff, now } = context
    const was = await rewards.held(context, one)
    const taken = await revokeReward(tx, { id: one.id, reason, operator_id: staff.id, now })
    const after = await rewards.read(tx, staff, one.id)
    rewards.log(context, after, {
      before: { state: was.state },
      after: { state: after.state, revoke_reason: reason, taken },
      reason,
    })
    return { id: after.id, version: after.version, taken }
  },
  feature: async (one, context) => {
    const { tx, staff, now } = context
    const was = await rewards.held(context, one)
    const bonus = await featureReview(tx, { id: one.id, operator_id: staff.id, now })
    const after = await rewards.read(tx, staff, one.id)
    rewards.log(context, after, {
      before: { featured: false, bonus: was.bonus },
      after: { featured: true, bonus },
    })
    return { id: after.id, version: after.version, bonus }
  },
  export: exporting(list, {
    page: 'vip.score.comment',
    title: ['评价奖励', 'Review rewards'],
    permit: commentRewards.export.permit,
    columns: [
      { key: 'id', title: ['编号', 'No.'] },
      { key: 'at', title: ['时间', 'Time'], kind: 'time' },
      { key: 'uid', title: ['会员号', 'Member no.'] },
      { key: 'nickname', title: ['昵称', 'Nickname'] },
      { key: 'store_name', title: ['门店', 'Store'] },
      { key: 'title', title: ['商品', 'Item'] },
      { key: 'rating', title: ['评分', 'Rating'], kind: 'number' },
      { key: 'text_n', title: ['有效字数', 'Characters that count'], kind: 'number' },
      { key: 'images_n', title: ['图片数', 'Pictures'], kind: 'number' },
      { key: 'points', title: ['积分', 'Points'], kind: 'number' },
      { key: 'bonus', title: ['精选加奖', 'Bonus'], kind: 'number' },
      { key: 'state', title: ['状态', 'State'] },
      { key: 'why', title: ['未发放原因', 'Reason not paid'] },
      { key: 'deleted_by', title: ['删除', 'Deleted'] },
      { key: 'revoke_reason', title: ['收回原因', 'Reason taken back'] },
    ],
    words: ({ member_id, keyword, state, why, featured, deleted_by }, lang) => [
      member_id !== undefined && `#${member_id}`,
      keyword,
      state && say(rewardStates[state], lang),
      why && say(noRewards[why], lang),
      featured && say(['精选', 'Featured'], lang),
      deleted_by && say(deleters[deleted_by], lang),
    ],
    cells: (row, { lang }) => ({
      ...row,
      state: say(rewardStates[row.state], lang),
      why: row.why ? say(noRewards[row.why], lang) : '',
      deleted_by: row.deleted_by ? say(deleters[row.deleted_by], lang) : '',
    }),
  }),
} satisfies { [K in keyof typeof commentRewards]: Handler<(typeof commentRewards)[K]> }

export const commentRuleServer = implement(commentRules, ruleHandlers)
export const commentRewardServer = implement(commentRewards, rewardHandlers)
