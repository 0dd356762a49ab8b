import { z } from 'zod'
import { placed, read, write } from '#src/contract/call.ts'
import { cents, guarded, id, text, unix } from '#src/contract/shapes.ts'

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

export const home = {
  todos: read('home/todos', ['待办统计', 'To-do counts'], {
    input: z.object({ city_id: id.optional() }),
    output: z.object({ list: z.array(todo), computed_at: unix }),
    touches: ['audit', 'order', 'export', 'alarm', 'risk_hit', 'report'],
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
    touches: ['audit', 'alarm', 'risk_hit'],
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
  /**
   * The next audit from the queue named, or from the fullest one I may work in; the queue's own
   * page then opens it. Nothing where I may work in none.
   */
  claimNext: write('home/claimNext', ['领取下一条审核', 'Claim the next audit'], {
    input: z.object({ queue: z.enum(['bulks', 'card', 'voucher', 'product']).optional() }),
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
