import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  varchar,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import { member } from '#src/areas/member/member.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { order_item } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { points_rule } from '#src/areas/pointsRule/rule.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'
import {
  commentStates,
  commentTargets,
  deleters,
  machineVerdicts,
  noRewards,
  rewardStates,
  type CommentState,
  type CommentTarget,
  type Deleter,
  type MachineVerdict,
  type NoReward,
  type RewardParts,
  type RewardState,
} from './review.ts'

/** 评论: what members write; a review of what was bought names its order’s item. */
export const comment = pgTable(
  'comment',
  {
    ...base,
    target_kind: text({ enum: keys<CommentTarget>(commentTargets) }).notNull(),
    target_id: integer().notNull(),
    parent_id: integer().references((): AnyPgColumn => comment.id),
    member_id: integer()
      .notNull()
      .references(() => member.id),
    order_item_id: integer().references(() => order_item.id),
    store_id: integer().references(() => store.id),
    text: varchar({ length: 500 }).notNull().default(''),
    images: jsonb().$type<string[]>().notNull().default([]),
    video: varchar({ length: 200 }).notNull().default(''),
    /** From 1 to 5; null for what rates nothing. */
    rating: integer(),
    machine: text({ enum: keys<MachineVerdict>(machineVerdicts) }).notNull(),
    hit_words: jsonb().$type<string[]>().notNull().default([]),
    reports: integer().notNull().default(0),
    state: text({ enum: keys<CommentState>(commentStates) }).notNull(),
    hidden_by_parent: boolean().notNull().default(false),
    pinned: boolean().notNull().default(false),
    official: boolean().notNull().default(false),
    claimed_by: integer().references(() => admin.id),
    claim_until: unix(),
    /** Null where nobody but the machine decided. */
    decided_by: integer().references(() => admin.id),
    decided_at: unix(),
    reason: varchar({ length: 100 }).notNull().default(''),
    featured_at: unix(),
    featured_by: integer().references(() => admin.id),
    deleted_at: unix(),
    deleted_by: text({ enum: keys<Deleter>(deleters) }),
  },
  t => [
    check('comment_rating', sql`${t.rating} between 1 and 5`),
    check('comment_deleted', sql`(${t.deleted_at} is null) = (${t.deleted_by} is null)`),
    uniqueIndex('comment_item_once')
      .on(t.order_item_id)
      .where(sql`order_item_id is not null and deleted_at is null`),
    index('comment_by_target').on(t.target_kind, t.target_id, t.id),
    index('comment_by_member').on(t.member_id, t.id),
    index('comment_by_state').on(t.state, t.id),
    index('comment_by_parent')
      .on(t.parent_id)
      .where(sql`parent_id is not null`),
    index('comment_featured')
      .on(t.id)
      .where(sql`featured_at is not null`),
    index('comment_deleted_ones')
      .on(t.deleted_by, t.id)
      .where(sql`deleted_at is not null`),
  ],
)

/** 评价奖励: what a review of an item earned once it was shown, or why nothing. */
export const comment_reward = pgTable(
  'comment_reward',
  {
    ...base,
    comment_id: integer()
      .notNull()
      .references(() => comment.id),
    order_item_id: integer()
      .notNull()
      .references(() => order_item.id),
    member_id: integer()
      .notNull()
      .references(() => member.id),
    store_id: integer()
      .notNull()
      .references(() => store.id),
    rule_id: integer().references(() => points_rule.id),
    state: text({ enum: keys<RewardState>(rewardStates) }).notNull(),
    why: text({ enum: keys<NoReward>(noRewards) }),
    parts: jsonb().$type<RewardParts>().notNull(),
    /** What was booked: of the review, and for being featured. */
    points: integer().notNull().default(0),
    bonus: integer().notNull().default(0),
    /** Characters that count, and the counted text’s hash; null where there is none. */
    text_n: integer().notNull(),
    text_key: varchar({ length: 64 }),
    revoked_at: unix(),
    revoke_reason: varchar({ length: 255 }).notNull().default(''),
    operator_id: integer().references(() => admin.id),
    at: unix().notNull(),
  },
  t => [
    check('comment_reward_why', sql`(${t.state} = 'none') = (${t.why} is not null)`),
    uniqueIndex('comment_reward_once').on(t.comment_id),
    uniqueIndex('comment_reward_item_once')
      .on(t.order_item_id)
      .where(sql`state <> 'none'`),
    uniqueIndex('comment_reward_text_once')
      .on(t.member_id, t.text_key)
      .where(sql`text_key is not null and state <> 'none'`),
    index('comment_reward_by_member').on(t.member_id, t.id),
    index('comment_reward_by_store').on(t.store_id, t.id),
    index('comment_reward_by_state').on(t.state, t.id),
    index('comment_reward_by_why')
      .on(t.why, t.id)
      .where(sql`why is not null`),
    index('comment_reward_by_time').on(t.at, t.id),
  ],
)

defineKinds({
  comment_reward: at('comment_reward', {
    city: '(select s.city_id from store s where s.id = t.store_id)',
    mall: '(select s.mall_id from store s where s.id = t.store_id)',
  }),
})
