import { z } from 'zod'
import { placed, read, write } from '#src/contract/call.ts'
import { clickFilters, clickPage, clickRow, clickTotals, clickType } from '#src/contract/clicks.ts'
import { memberFinds } from '#src/contract/finds.ts'
import { guarded, id, text, unix, asksExport, exportBegun } from '#src/contract/shapes.ts'

const filters = {
  ...clickFilters,
  object_type: clickType.optional(),
  object_id: id.optional(),
  device_id: text(40).optional(),
  entry: text(32).optional(),
}
const touches = ['click_log'] as const

export const history = {
  /**
   * Specification, section 7. Without a period the last 7 days; at most 31 days, or 93 where a
   * member, a device or an object is named.
   */
  lstClickLog: read('member/lstClickLog', ['用户浏览记录', 'Member browsing history'], {
    input: z.object({ ...clickPage, ...filters }),
    output: z.object({ list: z.array(clickRow), ...clickTotals }),
    touches,
    finds: memberFinds,
    scope: placed('click_log'),
    permit: 'system.history.view',
  }),
  /**
   * The way of one member, oldest first, by visits: a pause of half an hour begins a new one. What
   * they saw before signing up is part of it.
   */
  timeline: read('system/history/timeline', ['访问路径', 'Visit path'], {
    input: z.object({ member_id: id, start_at: unix.optional(), end_at: unix.optional() }),
    output: z.object({
      member: z.object({
        id,
        nickname: z.string(),
        phone_masked: guarded('member.phone', z.string()),
        city_name: z.string(),
        register_at: unix,
        account_state: z.string(),
      }),
      devices: z.array(
        z.object({
          device_id: z.string(),
          clicks: z.int(),
          others: z.array(z.object({ id, nickname: z.string() })),
        }),
      ),
      visits: z.array(
        z.object({
          from: unix,
          to: unix,
          device_id: z.string(),
          entry: z.string(),
          steps: z.array(
            z.object({
              ...clickRow.pick({
                id: true,
                object_type: true,
                object_id: true,
                object_name: true,
                entry: true,
                visitor: true,
                mall_name: true,
                at: true,
              }).shape,
              rest_s: z.int().nullable(),
            }),
          ),
          orders: z.array(z.object({ id, order_no: z.string(), at: unix })),
        }),
      ),
      more: z.boolean(),
    }),
    touches,
    scope: placed('click_log', { member_id: 'member' }),
    permit: 'system.history.timeline',
  }),
  topPages: read('system/history/topPages', ['热门页面排行', 'Top pages'], {
    input: z.object({
      object_type: clickType.optional(),
      entry: text(32).optional(),
      city_id: id.optional(),
      mid: z.int().min(0).optional(),
      start_at: unix.optional(),
      end_at: unix.optional(),
    }),
    output: z.object({
      list: z.array(
        z.object({
          id: z.int(),
          object_type: clickType,
          object_id: z.int(),
          object_name: z.string(),
          pv: z.int(),
          uv: z.int(),
        }),
      ),
      entries: z.array(z.object({ entry: z.string(), pv: z.int(), uv: z.int() })),
      from: unix,
      to: unix,
    }),
    touches,
    scope: placed('click_log'),
    permit: 'system.history.topPages',
  }),
  /** Over 100,000 rows it is refused, with how to narrow. */
  export: write('system/history/export', ['导出浏览记录', 'Export browsing history'], {
    input: z.object({ ...filters, ...asksExport('csv') }),
    output: exportBegun,
    touches: ['export'],
    finds: memberFinds,
    scope: placed('click_log'),
    permit: 'system.history.export',
  }),
}
