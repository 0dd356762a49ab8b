import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { product } from '#src/areas/product/product.table.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import { rewardStates, type RewardState } from './rollGroup.ts'

/** 拼团 */
export const roll_group = pgTable(
  'roll_group',
  {
    ...base,
    group_no: text().notNull(),
    product_id: integer()
      .notNull()
      .references(() => product.id),
    city_id: integer().notNull(),
    mall_id: integer().notNull(),
    need_n: integer().notNull(),
    /** Paid orders that are not wholly refunded; never above need_n. */
    joined_n: integer().notNull().default(0),
    /** Seats that staff filled when they declared it formed: no order stands behind them. */
    virtual_n: integer().notNull().default(0),
    group_price_cents: cents().notNull(),
    single_price_cents: cents().notNull(),
    expire_at: unix().notNull(),
    state: text({ enum: ['forming', 'success', 'failed'] }).notNull(),
    end_by: text({ enum: ['full', 'force', 'timeout', 'dissolve'] }),
    ended_at: unix(),
    /** The member of staff who ended it, and why. */
    ended_by: integer(),
    end_reason: text(),
    extended: boolean().notNull().default(false),
    /** The leader has one unit free once all of it is through; what follows says what that came to. */
    leader_free: boolean().notNull().default(false),
    reward_state: text({ enum: keys<RewardState>(rewardStates) })
      .notNull()
      .default('none'),
    reward_cents: cents(),
  },
  t => [
    check(
      'roll_group_seats',
      sql`${t.joined_n} >= 0 and ${t.joined_n} + ${t.virtual_n} <= ${t.need_n}`,
    ),
    uniqueIndex('roll_group_no_once').on(t.group_no),
    index('roll_group_by_state').on(t.state, t.expire_at, t.id),
    index('roll_group_by_city').on(t.city_id, t.id, t.state, t.mall_id),
    index('roll_group_by_product').on(t.product_id, t.id, t.state, t.city_id, t.mall_id),
    index('roll_group_rewards')
      .on(t.reward_state, t.id)
      .where(sql`reward_state in ('due', 'clawed')`),
  ],
)
