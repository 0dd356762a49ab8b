import { z } from 'zod'
import { channelBy } from '#src/areas/channelCode/stat.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import { cents, id, keysOf, keyText, open, searched, unix, version } from '#src/contract/shapes.ts'

const count = z.int().min(0)
const words = z.string()
const share = z.int().nullable()
/** What a channel brought and cost, with its rates. */
export const channelSums = {
  scans: count,
  adds: count,
  re_adds: count,
  lost: count,
  lost_same_day: count,
  net: z.int(),
  backup_used: count,
  bound: count,
  first_orders: count,
  orders: count,
  paid_cents: cents,
  cost_cents: open('What a channel costs, which its list is there to tell', cents),
  cost_per_add: cents.nullable(),
  /** Basis points; null where there is nothing to divide by. */
  add_bp: share,
  retained_bp: share,
  bound_bp: share,
  first_bp: share,
  lost_bp: share,
  roi_bp: share,
}
const by = keysOf(channelBy)
/** Both ends are moments of the first and the last day; without them the last 30 days. */
const range = { from: unix.optional(), to: unix.optional() }
const narrow = {
  ...range,
  /** 0: of no mall. */
  mid: z.int().min(0).max(2147483647).optional(),
  group: searched(20).optional(),
  staff_id: id.optional(),
}
const filters = {
  by: by.default('code'),
  ...narrow,
  compare: z.boolean().default(false),
  /** The first day of the range to compare with; without one the range before. */
  compare_from: unix.optional(),
}
export const channelStatRow = z.object({
  id,
  key: words,
  name: words,
  code_id: z.int().nullable(),
  by,
  ...channelSums,
  people: count,
  /** The same in the range that is compared with; null where it had nothing. */
  before: z.object({ adds: count, net: z.int(), paid_cents: cents }).nullable(),
  from: unix,
  to: unix,
})
export type ChannelStatRow = z.output<typeof channelStatRow>
export type ChannelFilters = z.output<z.ZodObject<typeof filters>>
const rows = 'channel_code'
const stat = ['channel_stat', rows, 'wecom_customer', 'order']
const call = callsOf('channel/statistics', { touches: stat, rows })
const view = 'channel.statistics.view'
const day = keyText(10, 10)

/** What codes brought, compared, and what they cost. */
export const channelStatistics = {
  lst: call.lists('lst', ['渠道统计', 'Channel statistics'], {
    filters,
    row: channelStatRow,
    answer: {
      sums: z.object({ ...channelSums, people: count }),
      sums_before: z.object({ ...channelSums, people: count }).nullable(),
      from: unix,
      to: unix,
      before_from: unix.nullable(),
      /** Today is in the range, and still goes on. */
      partial: z.boolean(),
    },
  }),
  overview: call.read('overview', ['渠道统计总览', 'Channels at a glance'], {
    input: z.object(narrow),
    output: z.object({
      days: z.array(
        z.object({
          day: words,
          scans: count,
          adds: count,
          re_adds: count,
          lost: count,
          lost_same_day: count,
          net: z.int(),
        }),
      ),
      /** Steps of the people who were added, each a part of the one before. */
      funnel: z.object({
        scans: count,
        added: count,
        bound: count,
        ordered: count,
        verified: count,
      }),
      hours: z.array(z.object({ weekday: z.int(), hour: z.int(), adds: count, scans: count })),
      partial: z.boolean(),
    }),
    permit: view,
  }),
  codes: call.read('codes', ['可选活码', 'Codes to choose'], {
    input: z.object({
      page: z.int().min(1).default(1),
      pageSize: z.int().min(1).max(200).default(50),
      keyword: searched(40).optional(),
      but: id.optional(),
    }),
    output: z.object({ list: z.array(z.object({ id, name: words })), total: z.int() }),
    permit: view,
  }),
  setCost: call.write('setCost', ['录入渠道成本', 'Enter a cost'], {
    input: z.object({ code_id: id, day, cost_cents: cents.min(0).max(1_000_000_000) }),
    output: z.object({ id, version }),
    scope: placed(rows, 'code_id'),
  }),
  /** The same for a month that is over. */
  setClosedCost: call.write('setClosedCost', ['补录往月成本', 'Enter a cost of a closed month'], {
    input: z.object({ code_id: id, day, cost_cents: cents.min(0).max(1_000_000_000), reason }),
    output: z.object({ id, version }),
    scope: placed(rows, 'code_id'),
  }),
  rebuild: call.write('rebuild', ['重算渠道统计', 'Recalculate channel statistics'], {
    input: z.object({ from: unix, to: unix }),
    output: z.object({ days: count, rows: count }),
    scope: 'all',
  }),
  export: call.startsExport('export', ['导出渠道报表', 'Export channel statistics'], { filters }),
}
