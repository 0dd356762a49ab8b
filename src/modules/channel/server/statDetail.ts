import { channel_event } from '#src/areas/channelCode/channelCode.table.ts'
import { codes, type Code } from '#src/areas/channelCode/codes.server.ts'
import { addChannel, channelRates, type ChannelSums } from '#src/areas/channelCode/stat.ts'
import { customersOf, eventsOf, membersOf } from '#src/areas/channelCode/statDetail.server.ts'
import { channelHours, channelStat } from '#src/areas/channelCode/statRows.server.ts'
import { followStates } from '#src/areas/wecom/wecom.ts'
import { say } from '#src/domain/text.ts'
import { DAY, dateOf, hoursOfDay } from '#src/domain/time.ts'
import { implement, type Db, type Handler, type Staff } from '#src/server/call/implement.ts'
import { defineExport, startExport } from '#src/server/exports/exports.ts'
import { statDetail as contract } from '../contract/statDetail.ts'
import { isPartial, needDay, rangeOf } from './statRange.ts'

type At = { staff: Pick<Staff, 'scope' | 'lang'>; now: number }
type Range = { from: number; to: number }
const shown = <S extends ChannelSums>(of: S) => ({ ...of, ...channelRates(of) })
/** Whoever sees the code sees all of its figures. */
const daysIn = async (db: Db, code: Code, range: Range, at: At) => {
  const { rows } = await channelStat(db, 'day', { ...range, code_id: code.id }, at)
  const byDay = new Map(rows.map(row => [row.key, row]))
  return {
    sums: shown(addChannel(rows)),
    days: Array.from({ length: (range.to - range.from) / DAY }, (_, n) => {
      const day = dateOf(range.from + n * DAY)
      const of = byDay.get(day)
      const [adds, lost] = [of?.adds ?? 0, of?.lost ?? 0]
      return { day, adds, lost, net: adds - lost }
    }),
  }
}
const staffIn = async (db: Db, code: Code, range: Range, at: At) => {
  const { rows } = await channelStat(db, 'staff', { ...range, code_id: code.id }, at)
  const known = await membersOf(db, code, { range, ids: rows.map(row => Number(row.key)) })
  return rows.map(row => ({
    ...shown(row),
    staff_id: Number(row.key),
    is_gone: known.get(Number(row.key))?.is_gone ?? false,
    silent_bp: known.get(Number(row.key))?.silent_bp ?? null,
    full_days: known.get(Number(row.key))?.full_days ?? null,
  }))
}
const hoursIn = async (db: Db, code: Code, range: Range, at: At) => {
  const hours = await channelHours(db, { ...range, code_id: code.id }, at.staff)
  return hoursOfDay.map(hour => {
    const those = hours.filter(one => one.hour === hour)
    return {
      hour,
      adds: those.reduce((sum, one) => sum + one.adds, 0),
      scans: those.reduce((sum, one) => sum + one.scans, 0),
    }
  })
}
const handlers = {
  lst: async ({ code_id, page, pageSize, from, to }, { db, staff, now }) => {
    const code = await codes.read(db, staff, code_id)
    const range = rangeOf({ from, to }, now)
    const after = (page - 1) * pageSize
    return customersOf(db, code, { range, staff, after, limit: pageSize })
  },
  figures: async ({ code_id, other_id, from, to }, { db, staff, now }) => {
    const code = await codes.read(db, staff, code_id)
    const other = other_id === undefined ? undefined : await codes.read(db, staff, other_id)
    const range = rangeOf({ from, to }, now)
    const at = { staff, now }
    return {
      name: code.name,
      status: code.status,
      ...(await daysIn(db, code, range, at)),
      other: other ? { name: other.name, ...(await daysIn(db, other, range, at)) } : null,
      staff: await staffIn(db, code, range, at),
      hours: await hoursIn(db, code, range, at),
      events: await eventsOf(db, code.id, { range, lang: staff.lang }),
      ...range,
      partial: isPartial(range, now),
    }
  },
  markEvent: async ({ code_id, day, text }, context) => {
    const { tx, staff, now } = context
    const code = await codes.read(tx, staff, code_id)
    needDay(day, now)
    const [row] = await tx
      .insert(channel_event)
      .values({ code_id, day, text, by_id: staff.id, created_at: now })
      .returning()
    codes.log(context, code, { after: { day, note: text } })
    return { id: row!.id, version: row!.version }
  },
  export: async ({ code_id, from, to, format, columns, ids }, context) => {
    const { tx, staff, now } = context
    const code = await codes.read(tx, staff, code_id)
    const range = rangeOf({ from, to }, now)
    const { total } = await customersOf(tx, code, { range, staff, after: 0, limit: 1, ids })
    return startExport(context, {
      page: 'channel.statistics.detail',
      filters: { code_id, from: range.from, to: range.to - 1, ids },
      filters_text: `${code.name} ${dateOf(range.from)} – ${dateOf(range.to - 1)}`,
      rows_expected: total,
      format,
      columns,
    })
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

type FileAsked = { code_id: number; from?: number; to?: number; ids?: readonly number[] }
defineExport('channel.statistics.detail', {
  title: ['活码客户明细', 'Customers of a code'],
  permit: contract.export.permit,
  columns: [
    { key: 'name', title: ['客户', 'Customer'] },
    { key: 'staff_name', title: ['成员', 'Member'] },
    { key: 'status', title: ['关系', 'Relation'] },
    { key: 'added_at', title: ['添加时间', 'Added'], kind: 'time' },
    { key: 'again', title: ['再次添加', 'Re-added'] },
    { key: 'lost_at', title: ['流失时间', 'Lost'], kind: 'time' },
    { key: 'tags', title: ['企业标签', 'Tags'] },
    { key: 'member', title: ['会员', 'Member of ours'] },
    { key: 'first_paid_at', title: ['首单时间', 'First order'], kind: 'time' },
    { key: 'first_paid_cents', title: ['首单金额', 'Paid'], kind: 'money' },
  ],
  rows: async ({ db, staff, filters, after, limit, now }) => {
    const { code_id, ids, ...asked } = filters as unknown as FileAsked
    const skip = Number(after ?? 0)
    const code = await codes.read(db, staff, code_id)
    const range = rangeOf(asked, now)
    const { list } = await customersOf(db, code, { range, staff, after: skip, limit, ids })
    const yes = (is: boolean) => say(is ? ['是', 'Yes'] : ['否', 'No'], staff.lang)
    return {
      rows: list.map(row => ({
        name: row.name,
        staff_name: row.staff_name,
        status: say(followStates[row.status], staff.lang),
        added_at: row.added_at,
        again: yes(row.is_again),
        lost_at: row.lost_at,
        tags: row.tags,
        member: yes(row.is_member),
        first_paid_at: row.first_paid_at,
        first_paid_cents: row.first_paid_cents,
      })),
      next: list.length < limit ? undefined : skip + limit,
    }
  },
})

export const statDetailServer = implement(contract, handlers)
