import {
  answerOf,
  claimed,
  detailOf,
  heldRound,
  isOver,
  itemOf,
  keepRound,
  madeFor,
  pastOf,
  roundOf,
  type Made,
  type Round,
} from '#src/areas/audit/practice.server.ts'
import { practice_round, type PracticeAnswer } from '#src/areas/audit/practice.table.ts'
import { PRACTICE_SIZE, isRight } from '#src/areas/audit/practice.ts'
import { say } from '#src/domain/text.ts'
import { implement, type Staff } from '#src/server/call/implement.ts'
import { conflict, invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { practice, type Lesson } from './contract.ts'

type Row = ReturnType<typeof itemOf>
/** Those of the real queue's filters that the page offers, over the eight rows there are. */
const matching = (
  rows: readonly Row[],
  {
    keyword,
    submit_type,
    flagged,
  }: {
    keyword?: string | undefined
    submit_type?: string | undefined
    flagged?: boolean | undefined
  },
) =>
  rows.filter(
    row =>
      (!keyword ||
        `${row.title} ${row.merchant_name} ${row.store_name}`
          .toLowerCase()
          .includes(keyword.toLowerCase())) &&
      (submit_type === undefined || row.submit_type === submit_type) &&
      (flagged === undefined || row.flags.length > 0 === flagged),
  )
const open = (row: Row) => row.state === 'pending' || row.state === 'claimed'
const inTab = (row: Row, state: string) => {
  if (state === 'open') return open(row)
  return row.state === (state === 'mine' ? 'claimed' : state)
}
const sorts = {
  sla: (a: Row, b: Row) => a.sla_at - b.sla_at || a.id - b.id,
  newest: (a: Row, b: Row) => b.submitted_at - a.submitted_at,
  price: (a: Row, b: Row) => b.price_cents - a.price_cents,
}

const rowsOf = (round: Round, staff: Staff, now: number) =>
  madeFor(staff.id, round.round, now).map(one => itemOf(one, round, staff, now))
const lessonOf = (
  made: readonly Made[],
  { id, verdict, codes, right, first, tries, seconds, by }: PracticeAnswer,
): Lesson => {
  const { fault, body } = made.find(one => one.id === id)!
  return { id, title: body.title, fault, verdict, codes, right, first, tries, seconds, by }
}
const sameRound = (row: Round, round: number) => {
  if (row.round !== round)
    throw ruled('other_round', ['练习已进入第 {n} 轮，请刷新', 'Round {n} has begun: refresh'], {
      n: row.round,
    })
}

export default implement(practice, {
  lst: async ({ page, pageSize, state, sort, ...filters }, { db, staff, now }) => {
    const rows = matching(rowsOf(await roundOf(db, staff.id), staff, now), filters)
      .filter(row => inTab(row, state))
      .sort(sorts[sort])
    return { list: rows.slice((page - 1) * pageSize, page * pageSize), total: rows.length }
  },
  counts: async (filters, { db, staff, now }) => {
    const rows = matching(rowsOf(await roundOf(db, staff.id), staff, now), filters)
    return Object.fromEntries(
      [
        'open',
        'mine',
        'pending',
        'claimed',
        'need_more',
        'second_audit',
        'approved',
        'rejected',
        'withdrawn',
      ].map(tab => [tab, rows.filter(row => inTab(row, tab)).length]),
    )
  },
  detail: async ({ id }, { db, staff, now }) => {
    const round = await roundOf(db, staff.id)
    const one = madeFor(staff.id, round.round, now).find(made => made.id === id)
    if (!one) throw missing()
    return detailOf(one, round, staff, now)
  },
  mine: async (_, { db, staff, now }) => {
    const row = await roundOf(db, staff.id)
    const made = madeFor(staff.id, row.round, now)
    const done = row.answers.filter(one => !one.open)
    return {
      round: row.round,
      size: PRACTICE_SIZE,
      decided: done.length,
      right: done.filter(one => one.first).length,
      seconds_each: done.length
        ? Math.round(done.reduce((sum, one) => sum + one.seconds, 0) / done.length)
        : null,
      by_keys: done.filter(one => one.by === 'keys').length,
      lessons: done.map(one => lessonOf(made, one)),
      last: done.at(-1)?.id ?? null,
      finished_at: row.finished_at,
      ...(await pastOf(db, staff)),
    }
  },
  claimNext: async ({ n, ...filters }, { tx, staff, now }) => {
    const row = await heldRound(tx, staff.id)
    const rows = rowsOf(row, staff, now)
    const taken = matching(rows, filters)
      .filter(one => one.state === 'pending')
      .slice(0, n)
    const claims = taken.reduce(
      (before, one) => claimed({ ...row, claims: before }, one.id, now),
      row.claims,
    )
    await keepRound(tx, row, { claims })
    return {
      tasks: rowsOf({ ...row, claims }, staff, now).filter(one =>
        taken.some(({ id }) => id === one.id),
      ),
    }
  },
  claim: async ({ round, id }, { tx, staff, now }) => {
    const row = await heldRound(tx, staff.id)
    sameRound(row, round)
    if (answerOf(row, id)) throw conflict(['这一条已经判断过了', 'It was decided already'])
    await keepRound(tx, row, { claims: claimed(row, id, now) })
    return { id }
  },
  decide: async ({ round, id, verdict, codes, seconds, by }, { tx, staff, now }) => {
    const row = await heldRound(tx, staff.id)
    sameRound(row, round)
    if (answerOf(row, id)) throw conflict(['这一条已经判断过了', 'It was decided already'])
    if (verdict === 'reject' && codes.length === 0)
      throw invalid({ codes: say(['请选择驳回原因', 'Choose a reason'], staff.lang) })
    const made = madeFor(staff.id, row.round, now)
    const before = row.answers.find(one => one.id === id)
    const right = isRight(made.find(one => one.id === id)!.fault, verdict, codes)
    const answer: PracticeAnswer = {
      id,
      verdict,
      codes: verdict === 'reject' ? codes : [],
      right,
      first: before ? before.first : right,
      seconds: (before?.seconds ?? 0) + seconds,
      by,
      at: now,
      tries: (before?.tries ?? 0) + 1,
    }
    const answers = [...row.answers.filter(one => one.id !== id), answer]
    await keepRound(tx, row, {
      answers,
      ...(isOver({ answers }) && { finished_at: row.finished_at ?? now }),
    })
    return lessonOf(made, answer)
  },
  takeBack: async ({ round }, { tx, staff }) => {
    const row = await heldRound(tx, staff.id)
    sameRound(row, round)
    const last = row.answers.filter(one => !one.open).at(-1)
    if (!last)
      throw ruled('nothing', ['本轮还没有可收回的判断', 'Nothing was decided in this round yet'])
    await keepRound(tx, row, {
      answers: row.answers.map(one => (one.id === last.id ? { ...one, open: true } : one)),
      finished_at: null,
    })
    return { id: last.id }
  },
  next: async ({ round }, { tx, staff }) => {
    const row = await heldRound(tx, staff.id)
    sameRound(row, round)
    if (!isOver(row))
      throw ruled('unfinished', ['本轮还有未判断的提交', 'This round is not over yet'])
    await tx.insert(practice_round).values({ admin_id: staff.id, round: round + 1 })
    return { round: round + 1 }
  },
})
