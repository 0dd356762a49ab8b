import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { level_hold, level_ladder } from '#src/areas/level/level.table.ts'
import {
  freeLevel,
  ladderFaults,
  ladderStates,
  standardEarns,
  standardLevels,
  type LadderState,
  type Level,
} from '#src/areas/level/level.ts'
import { goLive, publishAgreement } from '#src/areas/level/publishing.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { agreement } from '#src/areas/merchant/texts.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { joined } from '#src/domain/text.ts'
import {
  implement,
  type Db,
  type Handler,
  type Staff,
  type WriteContext,
} from '#src/server/call/implement.ts'
import { faultless, record, unlessTaken } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { whole } from '#src/server/db/whole.ts'
import { rules as contract, type LevelRow, type LevelSent } from '../contract/rules.ts'

type Ladder = typeof level_ladder.$inferSelect
type One = { id: number; version: number }
const ladders = record(level_ladder, {
  object: 'level_ladder',
  label: row => joined([`第 ${row.no} 版`, `Version ${row.no}`]),
  keys: ['levels', 'merged', 'earns', 'effective_at', 'state', 'reject_reason'],
  places: 'all',
  told: row => ({
    ...row,
    levels: row.levels.map(one => `${one.name}（${one.growth_min} 起，保级 ${one.keep_growth}）`),
    merged: row.merged.map(one => `V${one.level} → V${one.into}`),
    state: ladderStates[row.state][0],
  }),
})
/** A row of the page is a level; its id tells the version too. */
const rowId = (row: Pick<Ladder, 'id'>, no: number): number => row.id * 10 + no
const countsOf = async (db: Db, { scope }: Pick<Staff, 'scope'>): Promise<Map<number, number>> => {
  const rows = await db
    .select({ level: member.level, n: sql<number>`count(*)::int` })
    .from(member)
    .where(within(scope, { city: member.city_id }))
    .groupBy(member.level)
  return new Map(rows.map(row => [row.level, row.n]))
}
const namesOf = async (db: Db, ids: readonly (number | null)[]): Promise<Map<number, string>> => {
  const known = [...new Set(ids.filter(id => id !== null))]
  if (known.length === 0) return new Map()
  const rows = await db
    .select({ id: admin.id, name: admin.name })
    .from(admin)
    .where(inArray(admin.id, known))
  return new Map(rows.map(row => [row.id, row.name]))
}
/** Drafts and what waits stand first, then what is in force, then the past, the newest first. */
const inOrder = [
  sql`array_position(array['draft', 'waiting', 'live', 'archived', 'rejected'], ${level_ladder.state}::text)`,
  desc(level_ladder.no),
]
const shown = async (db: Db, all: readonly Ladder[], staff: Staff): Promise<LevelRow[]> => {
  const counts = await countsOf(db, staff)
  const live = all.find(row => row.state === 'live')
  const names = await namesOf(
    db,
    all.flatMap(row => [row.maker_id, row.checker_id]),
  )
  const lowest = (row: Ladder, no: number) =>
    row.levels.find(level => level.no === no)?.growth_min ?? null
  return all.flatMap(row =>
    row.levels.map(level => ({
      ...row,
      ...level,
      id: rowId(row, level.no),
      ladder_id: row.id,
      ladder_no: row.no,
      live_growth_min: live ? lowest(live, level.no) : null,
      member_count: counts.get(level.no) ?? 0,
      maker: names.get(row.maker_id ?? 0) ?? '',
      checker: names.get(row.checker_id ?? 0) ?? '',
    })),
  )
}

const draftExists = () =>
  ruled('draft_exists', [
    '已有一份草稿，请在草稿上修改，或先发布它',
    'There is a draft already: change that one, or publish it first',
  ])
const begin = async (
  context: WriteContext,
  of: Partial<typeof level_ladder.$inferInsert>,
): Promise<Ladder> => {
  const { tx, staff } = context
  const [last] = await tx
    .select({ no: sql<number>`coalesce(max(${level_ladder.no}), 0)::int` })
    .from(level_ladder)
  return unlessTaken(
    ladders.add(context, {
      no: last!.no + 1,
      levels: [...standardLevels],
      earns: standardEarns,
      ...of,
      maker_id: staff.id,
    }),
    draftExists,
  )
}
/** The draft that a change goes to: the one held, or a new one from the rules in force. */
const draftFor = async (context: WriteContext, one: One): Promise<Ladder> => {
  const was = await ladders.heldFast(context, one)
  if (was.state === 'draft') return was
  if (was.state !== 'live')
    throw ruled('not_draft', [
      '只能修改草稿；要沿用旧版本请用「回滚到版本」',
      'Only a draft is changed: return to an old version instead',
    ])
  const { levels, merged, earns, no } = was
  return begin(context, { levels, merged, earns, based_on: no })
}
const byNo = (levels: readonly Level[]): Level[] => levels.toSorted((a, b) => a.no - b.no)
const levelMissing = () =>
  ruled('no_level', ['该版本没有这个等级', 'The version has no such level'])
/** Refuses a level that breaks a rule of the ladder, at the field of the form. */
const sound = ({ staff }: WriteContext, levels: readonly Level[], no: number): void => {
  const at = levels.findIndex(level => level.no === no)
  const faults = Object.entries(ladderFaults(levels)).flatMap(([path, fault]) => {
    const [, place, field] = path.split('.')
    if (!fault) return []
    if (Number(place) === at) return [[field!, fault] as const]
    // What a neighbour then breaks is the fault of this one's threshold.
    const { name } = levels[Number(place)]!
    return [['growth_min', [`「${name}」${fault[0]}`, `${name}: ${fault[1]}`] as const] as const]
  })
  faultless(staff, Object.fromEntries(faults))
}
const levelWith = (no: number, sent: LevelSent, was?: Level): Level => ({
  gift_coupon_id: null,
  ...was,
  ...sent,
  no,
})

/** A waiting version, held, that somebody else than its maker may decide on. */
const waitingFor = async (context: WriteContext, one: One): Promise<Ladder> => {
  const was = await ladders.heldFast(context, one)
  if (was.state !== 'waiting')
    throw ruled('not_waiting', ['该版本没有在等待复核', 'It does not wait to be approved'])
  return was
}

const handlers = {
  lst: async ({ page, pageSize, status, ladder_no }, { db, staff }) => {
    const rows = await db
      .select()
      .from(level_ladder)
      .orderBy(...inOrder)
    const asked = rows.filter(row => ladder_no === undefined || row.no === ladder_no)
    const all = await shown(db, rows, staff)
    const there = all.filter(
      row =>
        asked.some(ladder => ladder.id === row.ladder_id) &&
        (status === undefined || row.state === status),
    )
    const stat: Record<string, number> = Object.fromEntries(
      (Object.keys(ladderStates) as LadderState[]).map(state => [
        state,
        asked.filter(row => row.state === state).reduce((n, row) => n + row.levels.length, 0),
      ]),
    )
    const list = there.slice((page - 1) * pageSize, page * pageSize)
    return { list, total: there.length, stat }
  },
  versions: async (_, { db }) => {
    const rows = await db.select().from(level_ladder).orderBy(desc(level_ladder.no)).limit(6)
    const [text] = await db
      .select({ version_no: agreement.version_no, effective_at: agreement.effective_at })
      .from(agreement)
      .where(and(eq(agreement.type, 'member'), eq(agreement.state, 'effective')))
    const list = rows.map(({ id, no, state, levels }) => ({ id, no, state, levels }))
    return {
      list: list.reverse(),
      agreement: text ? { ...text, effective_at: text.effective_at ?? 0 } : null,
    }
  },
  simulate: async ({ id }, { db, staff }) => {
    const row = await ladders.read(db, staff, id)
    const levels = byNo(row.levels)
    const thresholds = sql.raw(`array[${levels.map(level => Number(level.growth_min)).join()}]`)
    const found = await db
      .select({
        level: member.level,
        at: sql<number>`width_bucket(${member.growth}, ${thresholds})`,
        // What staff set stays, whatever growth earns.
        held: sql<boolean>`exists (select 1 from ${level_hold} h where h.member_id = ${whole(member.id)}
          and h.kind = 'manual' and h.ended_at is null)`,
        n: sql<number>`count(*)::int`,
      })
      .from(member)
      .where(within(staff.scope, { city: member.city_id }))
      .groupBy(sql`1, 2, 3`)
    const moved = { up: 0, down: 0, same: 0 }
    const now = new Map<number, number>()
    const tried = new Map<number, number>()
    const add = (to: Map<number, number>, no: number, n: number) =>
      to.set(no, (to.get(no) ?? 0) + n)
    for (const { level, at, held, n } of found) {
      const reached = held ? level : levels[Math.max(0, at - 1)]!.no
      add(now, level, n)
      add(tried, reached, n)
      if (reached > level) moved.up += n
      else if (reached < level) moved.down += n
      else moved.same += n
    }
    return {
      no: row.no,
      levels: levels.map(({ no, name }) => ({
        no,
        name,
        now: now.get(no) ?? 0,
        tried: tried.get(no) ?? 0,
      })),
      ...moved,
    }
  },
  addLevel: async ({ id, version, ...sent }, context) => {
    const draft = await draftFor(context, { id, version })
    const no = freeLevel(draft.levels)
    if (no === undefined)
      throw ruled('levels_full', ['最多 6 级（0–5），不能再新增', 'There are six levels at most'])
    const levels = byNo([...draft.levels, levelWith(no, sent)])
    sound(context, levels, no)
    const merged = draft.merged.filter(one => one.level !== no)
    return ladders.save(context, draft, { levels, merged, maker_id: context.staff.id })
  },
  editLevel: async ({ id, version, no, ...sent }, context) => {
    const draft = await draftFor(context, { id, version })
    const was = draft.levels.find(level => level.no === no)
    if (!was) throw levelMissing()
    const levels = draft.levels.map(level => (level.no === no ? levelWith(no, sent, was) : level))
    sound(context, levels, no)
    return ladders.save(context, draft, { levels, maker_id: context.staff.id })
  },
  removeLevel: async ({ id, version, no, into }, context) => {
    const draft = await draftFor(context, { id, version })
    const has = (of: number) => draft.levels.some(level => level.no === of)
    if (no === 0)
      throw ruled('first_level', ['0 级是所有会员的起点，不能删除', 'Everybody begins at level 0'])
    if (!has(no)) throw levelMissing()
    faultless(context.staff, {
      into:
        into !== no && has(into)
          ? undefined
          : ['请选择该版本保留的另一个等级', 'Choose another level that the version keeps'],
    })
    const levels = draft.levels.filter(level => level.no !== no)
    const merged = [
      ...draft.merged.map(one => (one.into === no ? { ...one, into } : one)),
      { level: no, into },
    ]
    return ladders.save(context, draft, { levels, merged, maker_id: context.staff.id })
  },
  saveDraft: async ({ id, version, ...earns }, context) => {
    const draft = await draftFor(context, { id, version })
    return ladders.save(context, draft, { earns, maker_id: context.staff.id })
  },
  publish: async ({ id, version, effective_at, reason }, context) => {
    const { now, staff } = context
    const was = await ladders.heldFast(context, { id, version })
    if (was.state !== 'draft') throw ruled('not_draft', ['只能发布草稿', 'Only a draft goes out'])
    const fault = Object.entries(ladderFaults(was.levels)).find(([, text]) => text)
    if (fault) {
      const name = was.levels[Number(fault[0].split('.')[1])]!.name
      throw ruled('unsound', [`「${name}」${fault[1]![0]}`, `${name}: ${fault[1]![1]}`])
    }
    faultless(staff, {
      effective_at:
        effective_at !== undefined && effective_at < now
          ? [
              '生效时间不能早于现在；留空则复核后立即生效',
              'The time has passed: leave it empty for at once',
            ]
          : undefined,
    })
    return unlessTaken(
      ladders.save(
        context,
        was,
        {
          state: 'waiting',
          effective_at: effective_at ?? now,
          reason,
          maker_id: staff.id,
          checker_id: null,
        },
        reason,
      ),
      () =>
        ruled('waiting_exists', [
          '已有一个版本在等待生效，请先处理它',
          'A version waits already: decide on that one first',
        ]),
    )
  },
  approve: async (one, context) => {
    const { tx, staff, now } = context
    const was = await waitingFor(context, one)
    if (was.checker_id !== null)
      throw ruled('approved', [
        '该版本已复核通过，到时自动生效',
        'It was approved and takes effect by itself',
      ])
    if (was.maker_id === staff.id)
      throw ruled('same_person', [
        '须由提交人以外的另一人复核',
        'Another person than who sent it must approve',
      ])
    const after = await ladders.save(context, was, { checker_id: staff.id, state: 'waiting' })
    if (was.effective_at !== null && was.effective_at > now) return after
    await goLive(tx, was, now)
    return ladders.read(tx, staff, was.id)
  },
  reject: async ({ reason, ...one }, context) => {
    const was = await waitingFor(context, one)
    return ladders.save(context, was, { state: 'rejected', reject_reason: reason }, reason)
  },
  rollback: async ({ reason, ...one }, context) => {
    const was = await ladders.held(context, one)
    if (was.state !== 'archived' && was.state !== 'rejected')
      throw ruled('not_past', ['只能回滚到历史版本', 'Only a past version is returned to'])
    const { levels, merged, earns, no } = was
    return begin(context, { levels, merged, earns, based_on: no, reason })
  },
  editAgreement: async ({ content, summary }, { tx, staff, now, log }) => {
    const made = await publishAgreement(tx, { text: content, summary, editor_id: staff.id, now })
    log({
      object_type: 'agreement',
      object_id: made.id,
      object_label: joined([`会员协议 ${made.version_no}`, `Member agreement ${made.version_no}`]),
      after: { summary, force_consent: true, state: 'effective' },
    })
    return made
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }
export const rulesServer = implement(contract, handlers)
