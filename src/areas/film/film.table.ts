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
} from 'drizzle-orm/pg-core'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { film_pull_activity } from '#src/areas/filmPull/pull.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import {
  filmRefundKinds,
  returnStates,
  showStates,
  ticketProviders,
  ticketRequestStates,
  ticketStates,
  type FilmRefundKind,
  type Hall,
  type ReturnState,
  type Seat,
  type ShowState,
  type TicketProviderKey,
  type TicketRequestState,
  type TicketState,
} from './film.ts'
import type { BlockedCinema, FilmTerms } from './filmSettings.ts'

/**
 * 影票经营主体: the city company (mall 0) or the mall whose merchant sells the tickets of its
 * cinemas and gets what they bring.
 */
export const film_owner = pgTable(
  'film_owner',
  {
    ...base,
    merchant_id: integer()
      .notNull()
      .references(() => merchant.id),
    /** The store that its orders stand at. */
    store_id: integer()
      .notNull()
      .references(() => store.id),
    city_id: integer().notNull(),
    mall_id: integer().notNull().default(0),
  },
  t => [
    uniqueIndex('film_owner_merchant_once').on(t.merchant_id),
    uniqueIndex('film_owner_place_once').on(t.city_id, t.mall_id),
  ],
)

export const film = pgTable(
  'film',
  {
    ...base,
    name: varchar({ length: 40 }).notNull(),
    minutes: integer().notNull(),
    genre: varchar({ length: 20 }).notNull().default(''),
  },
  t => [uniqueIndex('film_name_once').on(t.name)],
)

export const film_cinema = pgTable(
  'film_cinema',
  {
    ...base,
    no: varchar({ length: 20 }).notNull(),
    name: varchar({ length: 40 }).notNull(),
    city_id: integer().notNull(),
    /** The mall that it stands in; 0 outside. */
    mall_id: integer().notNull().default(0),
    owner_id: integer()
      .notNull()
      .references(() => film_owner.id),
    address: varchar({ length: 100 }).notNull().default(''),
    halls: jsonb().$type<Hall[]>().notNull(),
    /** Whether the cinema takes tickets back before a show. */
    refundable: boolean().notNull().default(true),
  },
  t => [
    uniqueIndex('film_cinema_no_once').on(t.no),
    index('film_cinema_by_city').on(t.city_id, t.id),
    index('film_cinema_by_mall').on(t.mall_id, t.id),
    index('film_cinema_by_name').using('btree', t.name.op('text_pattern_ops')),
  ],
)

/** 场次: a film in a hall; its price for each seat. */
export const film_show = pgTable(
  'film_show',
  {
    ...base,
    cinema_id: integer()
      .notNull()
      .references(() => film_cinema.id),
    film_id: integer()
      .notNull()
      .references(() => film.id),
    hall: varchar({ length: 20 }).notNull(),
    start_at: unix().notNull(),
    end_at: unix().notNull(),
    /** What the cinema asks at its desk. */
    origin_cents: cents().notNull(),
    /** What a provider charges us. */
    cost_cents: cents().notNull(),
    /** The provider lets nobody sell below it. */
    floor_cents: cents().notNull(),
    state: text({ enum: keys<ShowState>(showStates) })
      .notNull()
      .default('on'),
    canceled_at: unix(),
  },
  t => [
    check('film_show_times', sql`${t.end_at} > ${t.start_at}`),
    index('film_show_by_cinema').on(t.cinema_id, t.start_at),
    index('film_show_by_film').on(t.film_id, t.start_at),
    index('film_show_by_start').on(t.start_at),
  ],
)

/** 座位占用: a seat of a show that an order holds; at most one live order holds it. */
export const film_seat = pgTable(
  'film_seat',
  {
    ...base,
    show_id: integer()
      .notNull()
      .references(() => film_show.id),
    order_id: integer()
      .notNull()
      .references(() => order.id),
    /** `seatKey`. */
    seat: varchar({ length: 8 }).notNull(),
    /** Since when it is free again. */
    freed_at: unix(),
  },
  t => [
    uniqueIndex('film_seat_once')
      .on(t.show_id, t.seat)
      .where(sql`freed_at is null`),
    index('film_seat_by_order').on(t.order_id),
  ],
)

/** 影票订单: what an order of kind `film` has beside the order itself; told as it was sold. */
export const film_order = pgTable(
  'film_order',
  {
    ...base,
    order_id: integer()
      .notNull()
      .references(() => order.id),
    show_id: integer()
      .notNull()
      .references(() => film_show.id),
    cinema_id: integer()
      .notNull()
      .references(() => film_cinema.id),
    film_id: integer()
      .notNull()
      .references(() => film.id),
    /** Its order's, by which lists find it. */
    member_id: integer()
      .notNull()
      .references(() => member.id),
    city_id: integer().notNull(),
    mall_id: integer().notNull(),
    cinema_name: varchar({ length: 40 }).notNull(),
    film_name: varchar({ length: 40 }).notNull(),
    hall: varchar({ length: 20 }).notNull(),
    show_at: unix().notNull(),
    show_end_at: unix().notNull(),
    seats: jsonb().$type<Seat[]>().notNull(),
    seat_count: integer().notNull(),
    origin_cents: cents().notNull(),
    sale_cents: cents().notNull(),
    service_fee_cents: cents().notNull(),
    coupon_cents: cents().notNull().default(0),
    points_cents: cents().notNull().default(0),
    /** What its subsidies took off the price: the city's and a campaign's. */
    subsidy_cents: cents().notNull().default(0),
    cost_cents: cents().notNull(),
    wechat_fee_cents: cents().notNull().default(0),
    /** `profitOf`, kept by whatever changes a part of it. */
    profit_cents: cents().notNull().default(0),
    /** Whoever issued it, or is asked now. */
    provider: text({ enum: keys<TicketProviderKey>(ticketProviders) }).notNull(),
    /** The provider's own number of the tickets. */
    provider_no: varchar({ length: 40 }),
    /** What the provider said last, in its words. */
    provider_status: varchar({ length: 255 }).notNull().default(''),
    ticket_state: text({ enum: keys<TicketState>(ticketStates) }).notNull(),
    ticket_code: varchar({ length: 60 }),
    lock_expire_at: unix().notNull(),
    /** When it was paid, and until it is issued waits. */
    waiting_since: unix(),
    try_count: integer().notNull().default(0),
    ticketed_at: unix(),
    /** When the code went to its buyer, and how often since. */
    code_sent_at: unix(),
    code_sent_n: integer().notNull().default(0),
    /** When its show was over and its money became the owner's. */
    shown_at: unix(),
    /** The terms of the day of sale. */
    terms: jsonb().$type<FilmTerms>().notNull(),
    distributor_id: integer().references(() => distributor.id),
    pull_activity_id: integer().references(() => film_pull_activity.id),
    /** The coupon that made up for trouble, once. */
    compensated_at: unix(),
    compensation_id: integer(),
  },
  t => [
    check(
      'film_order_issued',
      sql`${t.ticket_state} <> 'issued' or (${t.ticket_code} is not null and ${t.ticketed_at} is not null)`,
    ),
    check('film_order_seats', sql`${t.seat_count} between 1 and 6`),
    uniqueIndex('film_order_once').on(t.order_id),
    index('film_order_by_time').on(t.created_at, t.id),
    index('film_order_by_show').on(t.show_at, t.id),
    index('film_order_of_show').on(t.show_id),
    index('film_order_by_cinema').on(t.cinema_id, t.created_at),
    index('film_order_by_film').on(t.film_id, t.created_at),
    index('film_order_by_city').on(t.city_id, t.created_at),
    index('film_order_by_mall').on(t.mall_id, t.created_at),
    index('film_order_by_provider').on(t.provider, t.created_at),
    index('film_order_by_member').on(t.member_id, t.created_at),
    index('film_order_by_state').on(t.ticket_state, t.created_at),
    index('film_order_by_ticketing').on(t.ticketed_at, t.city_id),
    index('film_order_waiting')
      .on(t.waiting_since)
      .where(sql`ticket_state in ('issuing', 'issue_failed')`),
    index('film_order_locked')
      .on(t.lock_expire_at)
      .where(sql`ticket_state = 'locked'`),
    index('film_order_to_show')
      .on(t.show_end_at)
      .where(sql`ticket_state = 'issued' and shown_at is null`),
    index('film_order_by_activity')
      .on(t.pull_activity_id, t.created_at)
      .where(sql`pull_activity_id is not null`),
    index('film_order_losing')
      .on(t.created_at)
      .where(sql`profit_cents < 0`),
  ],
)

/** 出票请求: what a provider was asked for, under a number that buys once however often it is sent. */
export const film_request = pgTable(
  'film_request',
  {
    ...base,
    order_id: integer()
      .notNull()
      .references(() => order.id),
    provider: text({ enum: keys<TicketProviderKey>(ticketProviders) }).notNull(),
    out_no: varchar({ length: 40 }).notNull(),
    state: text({ enum: keys<TicketRequestState>(ticketRequestStates) }).notNull(),
    answer: varchar({ length: 255 }).notNull().default(''),
    provider_no: varchar({ length: 40 }),
    tries: integer().notNull().default(0),
    /**
     * When the provider is asked next: for tickets while it is `pending`, what came of it while it is
     * `ended`, to take them back while it is `surplus`; null once nothing is open.
     */
    ask_at: unix(),
    answered_at: unix(),
    /** The member of staff who asked for it again, and why. */
    asked_by: integer().references(() => admin.id),
    reason: varchar({ length: 200 }).notNull().default(''),
  },
  t => [
    uniqueIndex('film_request_no_once').on(t.out_no),
    uniqueIndex('film_request_one')
      .on(t.order_id)
      .where(sql`state in ('pending', 'success')`),
    index('film_request_by_order').on(t.order_id, t.id),
    index('film_request_waiting')
      .on(t.ask_at)
      .where(sql`ask_at is not null`),
  ],
)

/** 影票退款单: what a refund of tickets has beside the refund itself. */
export const film_refund = pgTable(
  'film_refund',
  {
    ...base,
    refund_id: integer()
      .notNull()
      .references(() => refund.id),
    order_id: integer()
      .notNull()
      .references(() => order.id),
    /** Its order's, by which the queue finds it. */
    city_id: integer().notNull(),
    mall_id: integer().notNull(),
    kind: text({ enum: keys<FilmRefundKind>(filmRefundKinds) }).notNull(),
    /** What is kept of the price. */
    charge_cents: cents().notNull().default(0),
    provider_state: text({ enum: keys<ReturnState>(returnStates) })
      .notNull()
      .default('none'),
    provider_answer: varchar({ length: 255 }).notNull().default(''),
    /** What the provider gives back of the cost. */
    cost_return_cents: cents().notNull().default(0),
    /** refund - what the provider gives back: below zero where that is more. */
    loss_cents: cents().notNull().default(0),
    show_at: unix().notNull(),
    assignee_id: integer().references(() => admin.id),
    /** A settled order goes back with a second person's word alone. */
    after_settled: boolean().notNull().default(false),
    tries: integer().notNull().default(0),
    ask_at: unix(),
    answered_at: unix(),
  },
  t => [
    uniqueIndex('film_refund_once').on(t.refund_id),
    index('film_refund_by_order').on(t.order_id),
    index('film_refund_by_show').on(t.show_at, t.id),
    index('film_refund_by_kind').on(t.kind, t.created_at),
    index('film_refund_by_city').on(t.city_id, t.created_at),
    index('film_refund_by_mall').on(t.mall_id, t.created_at),
    index('film_refund_by_assignee')
      .on(t.assignee_id)
      .where(sql`assignee_id is not null`),
    index('film_refund_waiting')
      .on(t.ask_at)
      .where(sql`provider_state = 'returning'`),
  ],
)

/** 影票设置: the default (no city) and what cities say for themselves; null is the default's. */
export const film_setting = pgTable(
  'film_setting',
  {
    ...base,
    city_id: integer(),
    is_open: boolean(),
    providers: jsonb().$type<FilmTerms['providers']>(),
    markup_bp: integer(),
    subsidy_cents: cents(),
    service_fee_cents: cents(),
    seat_limit: integer(),
    lock_minutes: integer(),
    refund_before_minutes: integer(),
    refund_monthly_times: integer(),
    refund_charge_bp: integer(),
    freeze_days: integer(),
    deposit_alarm_cents: cents(),
    blocked_cinemas: jsonb().$type<BlockedCinema[]>().notNull().default([]),
    paused_at: unix(),
    paused_by: integer().references(() => admin.id),
    paused_reason: varchar({ length: 200 }).notNull().default(''),
    saved_by: integer().references(() => admin.id),
  },
  t => [
    check(
      'film_setting_bounds',
      sql.join(
        [
          sql`${t.service_fee_cents} between 0 and 1000`,
          sql`${t.lock_minutes} between 5 and 15`,
          sql`${t.seat_limit} between 1 and 6`,
          sql`${t.refund_before_minutes} between 0 and 1440`,
          sql`${t.freeze_days} between 0 and 30`,
          sql`${t.refund_charge_bp} between 0 and 10000`,
          sql`${t.markup_bp} between 0 and 5000`,
          sql`${t.subsidy_cents} >= 0`,
          sql`${t.refund_monthly_times} between 0 and 31`,
          sql`${t.deposit_alarm_cents} >= 0`,
        ],
        sql` and `,
      ),
    ),
    check(
      'film_setting_standard',
      sql`${t.city_id} is not null or (${sql.join(
        [
          t.is_open,
          t.providers,
          t.markup_bp,
          t.subsidy_cents,
          t.service_fee_cents,
          t.seat_limit,
          t.lock_minutes,
          t.refund_before_minutes,
          t.refund_monthly_times,
          t.refund_charge_bp,
          t.freeze_days,
          t.deposit_alarm_cents,
        ].map(one => sql`${one} is not null`),
        sql` and `,
      )})`,
    ),
    uniqueIndex('film_setting_city_once').on(sql`coalesce(${t.city_id}, 0)`),
  ],
)

const byOrder = { city: 't.city_id', mall: 't.mall_id' }
defineKinds({
  film_order: at('film_order', byOrder),
  film_refund: at('film_refund', byOrder),
  film_cinema: at('film_cinema', byOrder),
  film_show: at('film_show', {
    city: '(select c.city_id from film_cinema c where c.id = t.cinema_id)',
    mall: '(select c.mall_id from film_cinema c where c.id = t.cinema_id)',
  }),
  film_setting: at('film_setting', { city: 't.city_id', shared: 't.city_id is null' }),
  film_owner: at('film_owner', byOrder),
})
