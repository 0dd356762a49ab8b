import { z } from 'zod'
import { auditQueues } from '#src/areas/audit/audit.ts'
import { placed, read, write } from '#src/contract/call.ts'
import { basisPoints, cents, guarded, id, text, unix } from '#src/contract/shapes.ts'

/** A card of the workbench: its count is the total of the list at `target`, whoever asks. */
const todo = z.object({
  key: z.string(),
  title: z.string(),
  /** Address of the list, filters included. */
  target: z.string(),
  /** Null when this one could not be counted. */
  count: z.int().nullable(),
  oldest_at: unix.nullable(),
  amount_cents: guarded('stat.amount_cents', cents),
  over_sla: z.int(),
})
const compared = z.object({ now: cents, yesterday: cents, last_week: cents })
/** Each day has a value for every hour; today has them for the hours that have begun. */
const hours = z.object({
  today: z.array(z.int()),
  yesterday: z.array(z.int()),
  last_week: z.array(z.int()),
})
const queue = z.enum(auditQueues)

export const home = {
  todos: read('home/todos', ['待办统计', 'To-do counts'], {
    input: z.object({ city_id: id.optional() }),
    output: z.object({ list: z.array(todo), computed_at: unix }),
    touches: ['audit', 'look', 'order', 'refund', 'export', 'alarm', 'risk_hit', 'report'],
    scope: placed('audit_task'),
    permit: 'signed-in',
  }),
  /**
   * What waits behind pages of the menu, for the sidebar and the browser's tab: each the total of
   * the list that the page opens with.
   */
  waiting: read('home/waiting', ['待办角标', 'Waiting'], {
    input: z.object({}),
    output: z.object({
      list: z.array(z.object({ path: z.string(), count: z.int(), over_sla: z.int() })),
    }),
    touches: ['audit', 'look', 'alarm', 'risk_hit'],
    unattended: true,
    scope: placed('audit_task'),
    permit: 'signed-in',
  }),
  today: read('home/today', ['今日经营', 'Today'], {
    input: z.object({ city_id: id.optional() }),
    /** Until this hour, the same hour yesterday, the same hour a week ago. */
    output: z.object({
      gmv: guarded('stat.amount_cents', compared),
      verified: guarded('stat.amount_cents', compared),
      refunded: guarded('stat.amount_cents', compared),
      orders: compared,
      computed_at: unix,
    }),
    touches: ['order'],
    scope: placed('order'),
    permit: 'signed-in',
  }),
  /** The same day hour by hour, beside yesterday and the same weekday of a week ago. */
  hours: read('home/hours', ['今日分时', 'Today by the hour'], {
    input: z.object({ city_id: id.optional() }),
    output: z.object({
      gmv: guarded('stat.amount_cents', hours),
      verified: guarded('stat.amount_cents', hours),
      refunded: guarded('stat.amount_cents', hours),
      orders: hours,
      computed_at: unix,
    }),
    touches: ['order'],
    scope: placed('order'),
    permit: 'signed-in',
  }),
  /** The queues I may claim from: what I hold, what is free, what runs out first, and my pace. */
  mine: read('home/mine', ['我的审核队列', 'My audit queue'], {
    input: z.object({}),
    output: z.object({
      queues: z.array(
        z.object({
          queue,
          title: z.string(),
          target: z.string(),
          /** Claimed by me. */ mine: z.int(),
          /** Free, and not mine to leave to others. */ free: z.int(),
        }),
      ),
      soonest: z.array(
        z.object({
          id,
          queue,
          title: z.string(),
          store_name: z.string(),
          sla_at: unix,
          mine: z.boolean(),
          target: z.string(),
        }),
      ),
      /** Null where I may claim nothing. */
      pace: z
        .object({
          decided: z.int(),
          /** What I usually had decided by this time, over the days of the last 14 I worked on. */
          usual_decided: z.int().nullable(),
          seconds_each: z.int().nullable(),
          usual_seconds_each: z.int().nullable(),
          days: z.int(),
          today: z.array(z.int()),
          usual: z.array(z.number()),
        })
        .nullable(),
    }),
    touches: ['audit'],
    scope: placed('audit_task'),
    permit: 'signed-in',
  }),
  /** How the queues fare, for whoever looks after them. */
  supervision: read('home/supervision', ['审核督导', 'Supervision'], {
    input: z.object({}),
    output: z.object({
      /** Decisions of each hour: those of today, and on average of the seven days before. */
      decided: z.object({
        approved: z.array(z.int()),
        rejected: z.array(z.int()),
        asked: z.array(z.int()),
        usual: z.array(z.number()),
      }),
      /** What waits, by how long its time still lasts. */
      ageing: z.array(
        z.object({
          queue,
          title: z.string(),
          target: z.string(),
          late: z.int(),
          soon: z.int(),
          today: z.int(),
          later: z.int(),
        }),
      ),
      /** Second looks by the day of the first decision, and how many of them said otherwise. */
      looks: z.array(z.object({ date: z.string(), looked: z.int(), differ: z.int() })),
      differ_bp: basisPoints.nullable(),
    }),
    touches: ['audit', 'look'],
    scope: placed('audit_task'),
    permit: 'audit.look.figures.view',
  }),
  /**
   * The next audit from the queue named, or from the fullest one I may work in; the queue's own
   * page then opens it. Nothing where I may work in none.
   */
  claimNext: write('home/claimNext', ['领取下一条审核', 'Claim the next audit'], {
    input: z.object({ queue: queue.optional() }),
    output: z.object({
      task_id: id.nullable(),
      queue: z.string().nullable(),
      target: z.string().nullable(),
      next_queue: z.object({ title: z.string(), target: z.string(), count: z.int() }).nullable(),
    }),
    touches: ['audit'],
    scope: placed('audit_task'),
    permit: 'signed-in',
  }),
  /** What a person keeps on the server: pinned pages, order of cards. */
  saveSettings: write('home/settings', ['保存个人设置', 'Save my settings'], {
    input: z.object({
      pinned_paths: z.array(text(255)).max(30).optional(),
      card_order: z.array(text(40)).max(60).optional(),
    }),
    output: z.object({ pinned_paths: z.array(z.string()), card_order: z.array(z.string()) }),
    touches: ['me'],
    scope: 'own',
    permit: 'signed-in',
  }),
}
