import { and, eq, inArray, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { members } from '#src/areas/member/members.server.ts'
import type { CellLine, Foreseen, Import, Reader } from '#src/areas/sheet/importing.server.ts'
import { mobileOf } from '#src/domain/phone.ts'
import type { Text } from '#src/domain/text.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { lockSequence } from '#src/server/db/sequence.ts'
import { isAddressed } from './compile.server.ts'
import { segment as t, segment_person as p, segment_use } from './segment.table.ts'
import { segments, type Segment } from './segmentRows.server.ts'

const NAME_MOST = 40
const columns = [
  {
    key: 'segment',
    title: ['分群', 'Segment'],
    names: ['分群名称', '名单', '名单名称', 'segmentname', 'list'],
    needed: true,
    note: [
      '静态名单的名称；没有同名的会新建一个',
      'The name of a fixed list; one that is not there is made',
    ],
    example: '示例：周年庆邀约名单',
  },
  {
    key: 'who',
    title: ['会员', 'Member'],
    names: ['会员号', '手机号', '手机', '会员手机号', 'phone', 'mobile', 'uid', 'memberno'],
    needed: true,
    note: ['会员号或手机号', 'The member number, or the phone'],
    example: 'U00000000',
  },
] as const satisfies Import<'segment' | 'who', unknown>['columns']
type Line = CellLine<'segment' | 'who'>
type ListLine = { name: string; member_id: number }
const nameKey = (name: string): string =>
  name.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase()
const bad = (row: number, text: Text): Foreseen<ListLine> => ({
  row,
  state: 'bad',
  name: '',
  text,
  version: null,
})

type Found = { id: number; uid: string; phone: string; nickname: string }
const membersOf = async ({ tx, staff }: Reader, lines: readonly Line[]): Promise<Found[]> => {
  const phones = lines.flatMap(line => mobileOf(line.cells.who) ?? [])
  const uids = lines.map(line => line.cells.who.trim().toUpperCase())
  const any = (of: readonly string[]) => sql`any(${sql.param([...new Set(of)])}::text[])`
  return tx
    .select({ id: member.id, uid: member.uid, phone: member.phone, nickname: member.nickname })
    .from(member)
    .where(
      and(
        isAddressed,
        members.seen(staff),
        staff.field('member.phone') === 'show'
          ? sql`(${member.uid} = ${any(uids)} or ${member.phone} = ${any(phones)})`
          : sql`${member.uid} = ${any(uids)}`,
      ),
    )
}
const listsOf = async ({ tx }: Reader): Promise<Segment[]> =>
  tx
    .select()
    .from(t)
    .where(sql`${t.status} <> 'archived'`)
/** The members that stand on some lists already, as `segment:member`. */
const standing = async ({ tx }: Reader, lists: readonly Segment[], ids: readonly number[]) => {
  const rows =
    lists.length === 0 || ids.length === 0
      ? []
      : await tx
          .select({ segment_id: p.segment_id, gen: p.gen, member_id: p.member_id })
          .from(p)
          .where(
            and(
              inArray(
                p.segment_id,
                lists.map(one => one.id),
              ),
              inArray(p.member_id, [...ids]),
            ),
          )
  const gens = new Map(lists.map(one => [one.id, one.gen]))
  return new Set(
    rows
      .filter(row => gens.get(row.segment_id) === row.gen)
      .map(row => `${row.segment_id}:${row.member_id}`),
  )
}
/** The member that a line means, or why there is none. */
const memberOf = (line: Line, people: readonly Found[], seesPhones: boolean): Found | Text => {
  const who = line.cells.who.trim()
  const phone = mobileOf(who)
  if (phone && !seesPhones)
    return [
      '你没有查看手机号的权限，请改填会员号',
      'You may not see phones: give the member number',
    ]
  const fit = people.filter(one => (phone ? one.phone === phone : one.uid === who.toUpperCase()))
  if (fit.length === 0)
    return phone
      ? ['没有该手机号的会员', 'No member has this phone']
      : ['没有该会员号的会员', 'No member has this number']
  return fit.length > 1
    ? ['该手机号对应多位会员，请改填会员号', 'Several members have this phone: give the number']
    : fit[0]!
}
/** Lists of people out of a file: each line puts one member on one fixed list. */
export const listImport: Import<'segment' | 'who', ListLine> = {
  title: ['静态名单导入', 'Import of fixed lists'],
  columns,
  foresee: async (context, lines) => {
    const people = await membersOf(context, lines)
    const lists = await listsOf(context)
    const fixed = lists.filter(one => one.kind === 'static')
    const there = await standing(
      context,
      fixed,
      people.map(one => one.id),
    )
    const seesPhones = context.staff.field('member.phone') === 'show'
    const before = new Set<string>()
    return lines.map((line): Foreseen<ListLine> => {
      const name = line.cells.segment.replace(/\s+/g, ' ').trim()
      if ([...name].length > NAME_MOST)
        return bad(line.row, ['分群名称最多 40 个字', 'A name has 40 letters at most'])
      const list = lists.find(one => nameKey(one.name) === nameKey(name))
      if (list?.kind === 'rule')
        return bad(line.row, [
          '同名的是规则分群，不能导入名单',
          'The segment of this name goes by a rule',
        ])
      const who = memberOf(line, people, seesPhones)
      if (!('id' in who)) return bad(line.row, who as Text)
      const twin = `${nameKey(name)}:${who.id}`
      const isThere = list ? there.has(`${list.id}:${who.id}`) : false
      const isTwin = before.has(twin)
      before.add(twin)
      const told = { row: line.row, name: `${who.nickname} ${who.uid}`, version: null }
      if (isThere || isTwin)
        return {
          ...told,
          state: 'already',
          text: isTwin
            ? ['文件中重复，只计一次', 'Twice in the file: it counts once']
            : ['已在名单中', 'On the list already'],
        }
      return {
        ...told,
        state: 'ready',
        text: list ? ['加入名单', 'Goes on the list'] : ['新建名单并加入', 'Goes on a new list'],
        given: { name, member_id: who.id },
      }
    })
  },
}
/** The list that lines are put on: a new one, or the one that holds; one that was used is copied. */
const writable = async (context: WriteContext, name: string): Promise<Segment> => {
  const { tx, staff, now } = context
  const known = (await listsOf(context)).find(one => nameKey(one.name) === nameKey(name))
  if (!known)
    return segments.add(context, {
      name,
      kind: 'static',
      status: 'ready',
      gen: 1,
      owner_id: staff.id,
      refreshed_at: now,
      created_at: now,
    })
  const of = await segments.lock(context, known.id)
  if (of.kind !== 'static')
    throw ruled('segment_rule', ['规则分群不能导入名单', 'A segment by a rule takes no lines'])
  const used = await tx.$count(
    segment_use,
    and(eq(segment_use.segment_id, of.id), eq(segment_use.gen, of.gen)),
  )
  if (used === 0) return of
  const gen = of.gen + 1
  await tx.execute(sql`insert into ${p} (segment_id, gen, member_id)
    select segment_id, ${gen}, member_id from ${p} where segment_id = ${of.id} and gen = ${of.gen}`)
  return segments.set(context, of, { gen })
}
/** Lines that go on lists wait for each other. */
export const lockLists = ({ tx }: WriteContext) => lockSequence(tx, 'segment')
/** Puts one member on a list; answers whether they were not on it before. */
export const putOnList = async (
  context: WriteContext,
  { name, member_id }: ListLine,
): Promise<boolean> => {
  const of = await writable(context, name)
  const put = await context.tx
    .insert(p)
    .values({ segment_id: of.id, gen: of.gen, member_id })
    .onConflictDoNothing()
    .returning({ id: p.member_id })
  if (put.length === 0) return false
  const after = await segments.set(context, of, {
    customer_count: of.customer_count + 1,
    refreshed_at: context.now,
  })
  segments.log(context, after, { after: { member_id } })
  return true
}
