import { z } from 'zod'
import {
  measures,
  ranked,
  rankStates,
  type Measure,
  type Ranked,
  type RankState,
} from '#src/areas/ranking/ranking.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import { cents, guarded, id, keysOf, lines, unix, version } from '#src/contract/shapes.ts'

const count = z.int().min(0)
const money = guarded('stat.gmv_cents', cents)
const commission = guarded('product.commission_bp', cents)
const values = {
  place: count,
  name: z.string(),
  paid_cents: money,
  net_cents: money,
  orders: count,
  customers: count,
  commission_cents: commission,
}
const who = keysOf<Ranked>(ranked)
const measure = keysOf<Measure>(measures)
/** Both ends are moments of the first and the last day; without them the last 30 days. */
const filters = {
  who: who.default('expert'),
  measure: measure.default('net'),
  from: unix.optional(),
  to: unix.optional(),
  city_id: id.optional(),
  /** 0 is outside malls. */ mid: z.int().min(0).max(2_147_483_647).optional(),
}
export const liveRow = z.object({
  id,
  view: z.literal('live'),
  ...values,
  /** In the period of the same length before; null where it had no place. */
  place_before: count.nullable(),
})
export type LiveRow = z.output<typeof liveRow>
export const rankRow = z.object({
  id,
  view: z.literal('lists'),
  /** What questions about it call it. */
  name: z.string(),
  who,
  measure,
  from_at: unix,
  to_at: unix,
  where: z.string(),
  people: count,
  excluded: count,
  prizes: count,
  prize_cents: commission,
  maker: z.string(),
  created_at: unix,
  published_at: unix.nullable(),
  reason: z.string(),
  status: keysOf<RankState>(rankStates),
  version,
})
export type FrozenRow = z.output<typeof rankRow>

const call = callsOf('distribution/ranking', {
  touches: ['dist_rank', 'dist_commission'],
  rows: 'dist_rank',
})
const view = 'distribution.ranking.view'
/** Rankings as they stand, and lists that were frozen for prizes. */
export const ranking = {
  lst: call.lists('lst', ['分销排行榜', 'Ranking'], { filters, row: liveRow }),
  lists: call.lists('lists', ['冻结的榜单', 'Frozen lists'], {
    filters: { status: keysOf<RankState>(rankStates).optional() },
    row: rankRow,
    permit: view,
  }),
  /** A frozen list: its rows with what they would be now, and who was taken off. */
  detail: call.read('detail', ['榜单详情', 'A frozen list'], {
    input: z.object({ id }),
    output: z.object({
      rows: z.array(
        z.object({
          id,
          ...values,
          /** As the published list shows it. */ masked: z.string(),
          now_cents: money,
          prize_cents: guarded('product.commission_bp', cents.nullable()),
        }),
      ),
      excluded: z.array(z.object({ id, name: z.string(), reason: z.string(), at: unix })),
    }),
    permit: view,
    scope: placed('dist_rank', 'id'),
  }),
  freezeList: call.write('freezeList', ['冻结榜单', 'Freeze a list'], {
    input: z.object({ ...filters, reason }),
    output: z.object({ id }),
    scope: placed('dist_rank'),
  }),
  publish: call.changes('publish', ['发布到小程序', 'Publish a list']),
  unpublish: call.changes('unpublish', ['取消发布', 'Unpublish a list'], { fields: { reason } }),
  exclude: call.changes('exclude', ['剔除违规人员', 'Remove a seller from a list'], {
    fields: { place: z.int().min(1).max(10_000), reason },
  }),
  grantPrize: call.changes('grantPrize', ['发放榜单奖励', 'Give the prizes of a list'], {
    fields: { rule: lines(500), reason },
    answer: { count, amount_cents: commission },
  }),
  export: call.startsExport('export', ['导出榜单', 'Export the ranking'], { filters }),
}
export type RankFilters = Partial<z.output<z.ZodObject<typeof filters>>>
