import { segment_person } from '#src/areas/segment/segment.table.ts'
import { segments, type Segment } from '#src/areas/segment/segmentRows.server.ts'
import { say } from '#src/domain/text.ts'
import type { Db, Staff, WriteContext } from '#src/server/call/implement.ts'
import { unlessTaken } from '#src/server/call/record.ts'
import { invalid, ruled } from '#src/server/call/refuse.ts'
import {
  countBars,
  peopleBehind,
  sampleOfAudience,
  toldOf,
  type Count,
  type Sampled,
} from './buckets.server.ts'
import { shapesOf } from './names.server.ts'
import { UNKNOWN, cellsOf, isFew, isSeveral, type Cell } from './portrait.ts'

/** The audience that is shown, and the one beside it if there is any; 0 is everybody. */
export type Compared = { a: number; b?: number | undefined; lost: boolean }
type Asker = { staff: Staff; now: number }
/** A bar; the id says its place among all. */
export type Bar = {
  id: number
  version: number
  dim: string
  dim_title: string
  value: string
  label: string
  a: Cell
  b: Cell | null
}
const sideOf = async (db: Db, id: number, lost: boolean, { staff, now }: Asker) => {
  const of = { segment_id: id, lost }
  const sample = await sampleOfAudience(db, of, { staff })
  const { people, estimated } = sample
  const sampled = sample.ids?.length ?? null
  const counts = await countBars(db, { ...of, sample }, { staff, now })
  if (id === 0)
    return {
      told: {
        id,
        name: say(['全部会员', 'All members'], staff.lang),
        n: people,
        estimated,
        sampled,
        refreshed_at: now,
      },
      people,
      counts,
    }
  const row = await usable(db, staff, id)
  const told = { id, name: row.name, n: people, estimated, sampled, refreshed_at: row.refreshed_at }
  return { told, people, counts }
}
const usable = async (db: Db, staff: Staff, id: number): Promise<Segment> => {
  const row = await segments.read(db, staff, id)
  if (row.status === 'archived' || row.refreshed_at === null)
    throw ruled('segment_off', [
      '分群已归档或尚未计算完成，请另选',
      'The segment was put away or is not counted yet: choose another',
    ])
  return row
}
/** Refuses to compare an audience with itself. */
const refuseSame = ({ a, b }: Compared): void => {
  if (a === b)
    throw ruled('same_segment', [
      '两边是同一人群，请另选一个对比',
      'Both sides are the same audience: choose another one',
    ])
}
const numbersOf = (counts: readonly Count[], dim: string, keys: readonly string[]): number[] => {
  const of = new Map(counts.flatMap(row => (row.dim === dim ? [[row.value, row.n] as const] : [])))
  // A value that nothing is called by any more counts as not known.
  const rest = [...of].reduce((sum, [key, n]) => (keys.includes(key) ? sum : sum + n), 0)
  return keys.map(key => (of.get(key) ?? 0) + (key === UNKNOWN ? rest : 0))
}
/**
 * The bars of one audience or of two, dimension by dimension, and whose they are. Bars in which
 * nobody stands on either side are left out. Throws 422 `same_segment`.
 */
export const compareAudiences = async (db: Db, of: Compared, asker: Asker) => {
  refuseSame(of)
  const a = await sideOf(db, of.a, of.lost, asker)
  const b = of.b === undefined ? undefined : await sideOf(db, of.b, of.lost, asker)
  const rows: Bar[] = []
  for (const [place, shape] of (await shapesOf(db, asker.staff.lang)).entries()) {
    const keys = shape.bars.map(bar => bar.key)
    const sides = [a, ...(b ? [b] : [])].map(side => {
      const numbers = numbersOf(side.counts, shape.key, keys)
      const several = isSeveral(shape.key) ? { people: side.people } : undefined
      return { numbers, cells: cellsOf(numbers, several) }
    })
    shape.bars.forEach((bar, at) => {
      if (sides.every(side => side.numbers[at] === 0)) return
      rows.push({
        id: (place + 1) * 10_000 + at + 1,
        version: 0,
        dim: shape.key,
        dim_title: shape.title,
        value: bar.key,
        label: bar.label,
        a: sides[0]!.cells[at]!,
        b: sides[1]?.cells[at] ?? null,
      })
    })
  }
  return { rows, sides: [a.told, ...(b ? [b.told] : [])] }
}

type Selected = { segment_id: number; lost: boolean; dim: string; value: string }
/** A bar as the portrait shows it; undefined where nothing is called so. */
const cellOf = async (
  db: Db,
  of: Selected & { sample: Sampled },
  { staff, now }: Asker,
): Promise<Cell | undefined> => {
  const shape = (await shapesOf(db, staff.lang)).find(one => one.key === of.dim)
  const keys = shape?.bars.map(bar => bar.key) ?? []
  const numbers = numbersOf(await countBars(db, of, { staff, now }), of.dim, keys)
  const cells = cellsOf(numbers, isSeveral(of.dim) ? { people: 0 } : undefined)
  return cells[keys.indexOf(of.value)]
}
/**
 * The people behind a bar: their ids, all of them or those of a sample (`sampled`), and how many they
 * are. Null where the portrait hides how many they are and the person may not see phones.
 */
export const drillInto = async (
  db: Db,
  of: Selected,
  { staff, now }: Asker,
): Promise<{ ids: number[]; n: number; sampled: number | null } | null> => {
  if (of.segment_id !== 0) await usable(db, staff, of.segment_id)
  const sample = await sampleOfAudience(db, of, { staff })
  const ids = await peopleBehind(db, { ...of, sample }, { staff, now })
  const sampled = sample.ids?.length ?? null
  const n = toldOf(ids.length, sample)
  if (staff.field('member.phone') === 'show') return { ids, n, sampled }
  const cell = isFew(n) ? undefined : await cellOf(db, { ...of, sample }, { staff, now })
  return isFew(n) || cell?.hidden ? null : { ids, n, sampled }
}
/** Keeps the people behind a bar as a fixed list. Answers the segment. */
export const saveSelection = async (
  context: WriteContext,
  { name, ...of }: Selected & { name: string },
): Promise<Segment> => {
  const { tx, staff, now } = context
  const found = await drillInto(tx, of, { staff, now })
  if (found === null)
    throw ruled('few', [
      '不足 5 人，或会暴露相邻的少数人：没有查看手机号权限时不能存为分群',
      'Fewer than five, or it tells how few are beside them: only who may see phones may keep them',
    ])
  // A sample is no list: of so many people a rule makes one, by a job.
  if (found.sampled !== null)
    throw ruled('too_many', [
      '人群过大，画像为抽样估算，选区不能直接存为名单；请在“客户分群”用相同条件建立分群',
      'The audience is large and its portrait an estimate: make a segment of the same conditions instead',
    ])
  const { ids } = found
  if (ids.length === 0)
    throw ruled('nobody', [
      '选区没有人，不能存为分群',
      'Nobody stands in it: there is nothing to keep',
    ])
  const made = await unlessTaken(
    segments.add(context, {
      name,
      kind: 'static',
      status: 'ready',
      gen: 1,
      customer_count: ids.length,
      owner_id: staff.id,
      refreshed_at: now,
      created_at: now,
    }),
    () => invalid({ name: ['已有同名分群', 'There is a segment of this name'] }),
  )
  for (let at = 0; at < ids.length; at += 5000)
    await tx
      .insert(segment_person)
      .values(
        ids.slice(at, at + 5000).map(member_id => ({ segment_id: made.id, gen: 1, member_id })),
      )
  return made
}
