import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, uniqueIndex, varchar } from 'drizzle-orm/pg-core'
import { dist_commission } from '#src/areas/commission/commission.table.ts'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import {
  measures,
  ranked,
  rankStates,
  type Measure,
  type Ranked,
  type RankRow,
  type RankState,
} from './ranking.ts'

/** Somebody who was taken off a list, and why. */
export type Excluded = { id: number; name: string; reason: string; by: number; at: number }

/** 榜单: a ranking as it was when it was frozen. Refunds that follow do not move it. */
export const dist_rank = pgTable(
  'dist_rank',
  {
    ...base,
    who: text({ enum: keys<Ranked>(ranked) }).notNull(),
    measure: text({ enum: keys<Measure>(measures) }).notNull(),
    from_at: unix().notNull(),
    to_at: unix().notNull(),
    /** 0 for every place. */
    city_id: integer().notNull().default(0),
    mall_id: integer().notNull().default(0),
    rows: jsonb().$type<RankRow[]>().notNull(),
    excluded: jsonb().$type<Excluded[]>().notNull().default([]),
    maker_id: integer()
      .notNull()
      .references(() => admin.id),
    published_at: unix(),
    reason: varchar({ length: 255 }).notNull().default(''),
    status: text({ enum: keys<RankState>(rankStates) })
      .notNull()
      .default('frozen'),
  },
  t => [
    uniqueIndex('dist_rank_once').on(t.who, t.measure, t.from_at, t.to_at, t.city_id, t.mall_id),
    index('dist_rank_by_status').on(t.status, t.id),
  ],
)

/** 榜单奖励: a prize of a list, which its seller gets once. */
export const dist_rank_prize = pgTable(
  'dist_rank_prize',
  {
    ...base,
    rank_id: integer()
      .notNull()
      .references(() => dist_rank.id),
    distributor_id: integer()
      .notNull()
      .references(() => distributor.id),
    place: integer().notNull(),
    amount_cents: cents().notNull(),
    commission_id: integer()
      .notNull()
      .references(() => dist_commission.id),
    granted_by: integer()
      .notNull()
      .references(() => admin.id),
  },
  t => [uniqueIndex('dist_rank_prize_once').on(t.rank_id, t.distributor_id)],
)

defineKinds({
  dist_rank: at('dist_rank', { city: 't.city_id', mall: 't.mall_id' }),
  /** What a live ranking is of. */
  dist_ranked: {
    from: sql.raw('"distributor" t'),
    id: sql.raw('t.id'),
    mine: at('distributor', { city: 't.city_id', mall: 't.mall_id' }).mine,
  },
})
