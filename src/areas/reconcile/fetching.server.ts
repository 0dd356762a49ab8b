/** Bills that the channel is asked for by itself, once a day and form, until they are there. */
import { createHash } from 'node:crypto'
import { and, asc, eq, inArray, isNotNull, isNull, lte, max, sql } from 'drizzle-orm'
import { momentNamed } from '#src/domain/calendar.ts'
import { joined, keptWords, type Text } from '#src/domain/text.ts'
import { DAY, HOUR, dateOf, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { oneByOne, type Failed } from '#src/server/db/oneByOne.ts'
import { parseFile } from '#src/server/files/parsing.ts'
import type { BillAnswer, BillSource } from './bills.channel.ts'
import { matchDay, oursOf, writeBill } from './matching.server.ts'
import { recon_bill, recon_fetch } from './reconcile.table.ts'
import { fetchedForms, sumsOf, type Bill, type FetchedForm } from './reconcile.ts'

type Fetch = typeof recon_fetch.$inferSelect
const f = recon_fetch
const forms = Object.keys(fetchedForms) as FetchedForm[]
/** WeChat Pay makes a day's bills by ten of the next morning. */
const MADE_BY = 10 * HOUR
/** A server that was away asks for so many days that it missed. */
const MISSED_DAYS = 7
const HOLD_S = 300
const SOME = 4
const SAID = 255
const otherForm: Text = [
  '渠道给出的是另一种账单，没有导入',
  'The channel gave a bill of another kind: it was not imported',
]
/** A day whose bill was not to be had for so long is left to a person. */
const GIVE_UP_S = 3 * DAY
const TRIES = 5
const waitFor = (tries: number) => Math.min(HOUR, 60 * 2 ** Math.min(tries, 6))

/** Asks for the bills of a day anew; those that are there stay. Answers how many are asked for. */
export const askForBills = async (
  tx: Db,
  of: { day: string; by?: number | undefined; now: number },
): Promise<Fetch[]> => {
  const { day, by, now } = of
  const asked = { ask_at: now, tries: 0, ...(by !== undefined && { asked_by: by }) }
  const values = forms.map(form => ({ day, form, ...asked }))
  return tx
    .insert(f)
    .values(values)
    .onConflictDoUpdate({
      target: [f.day, f.form],
      set: { ...asked, state: 'waiting', version: sql`${f.version} + 1` },
      setWhere: sql`${f.state} <> 'done'`,
    })
    .returning()
}
/**
 * Plans the bills that should be there by now: yesterday's from ten on, and those of the days since
 * the last that was planned.
 */
const planBills = async (tx: Db, now: number): Promise<void> => {
  const today = dayStart(now)
  const last = now >= today + MADE_BY ? today - DAY : today - 2 * DAY
  const [known] = await tx.select({ day: max(f.day) }).from(f)
  const next = known?.day ? momentNamed(known.day)! + DAY : last
  for (let at = Math.max(next, last - (MISSED_DAYS - 1) * DAY); at <= last; at += DAY)
    await tx
      .insert(f)
      .values(forms.map(form => ({ day: dateOf(at), form, ask_at: now })))
      .onConflictDoNothing()
}
/** Takes what is due for some minutes, so that each is asked for by one process. */
const takeDue = (tx: Db, now: number): Promise<Fetch[]> => {
  const due = tx
    .select({ id: f.id })
    .from(f)
    .where(and(isNotNull(f.ask_at), lte(f.ask_at, now)))
    .orderBy(asc(f.ask_at), asc(f.id))
    .limit(SOME)
    .for('update', { skipLocked: true })
  return tx
    .update(f)
    .set({ ask_at: now + HOLD_S, tries: sql`${f.tries} + 1` })
    .where(inArray(f.id, due))
    .returning()
}
/** The bill of a day and form that somebody imported. */
const importedOf = async (db: Db, { day, form }: Pick<Fetch, 'day' | 'form'>) => {
  const b = recon_bill
  const [bill] = await db
    .select({ id: b.id, at: b.created_at })
    .from(b)
    .where(and(eq(b.day, day), eq(b.channel, 'wechat'), eq(b.form, form), isNull(b.waiting)))
    .orderBy(asc(b.id))
    .limit(1)
  return bill
}
type Said = Partial<typeof f.$inferInsert>
/** Writes what became of one down, unless somebody has its bill meanwhile. */
const note = (db: Db, one: Fetch, said: Said) =>
  db
    .update(f)
    .set({ ...said, version: sql`${f.version} + 1` })
    .where(and(eq(f.id, one.id), sql`${f.state} <> 'done'`))
const isThere = (db: Db, one: Fetch, bill: { id: number; at: number }) =>
  note(db, one, { state: 'done', answer: '', ask_at: null, fetched_at: bill.at, bill_id: bill.id })
/** It is asked for later, or left to a person where it was asked for long and often enough. */
const later = (one: Fetch, now: number, wait = waitFor(one.tries)): number | null =>
  now > momentNamed(one.day)! + DAY + MADE_BY + GIVE_UP_S && one.tries >= TRIES ? null : now + wait

/**
 * Imports a bill that was fetched, as a person imports a file: rows that are known stay as they are.
 * Answers the bill's id; the same file is one bill, whoever brought it.
 */
const importBill = async (
  tx: Db,
  bill: Bill,
  of: { hash: string; own: string; now: number },
): Promise<number> => {
  const { channel, form, day, rows } = bill
  const [kept] = await tx
    .insert(recon_bill)
    .values({ channel, form, day, hash: of.hash, rows: rows.length, ...sumsOf(rows) })
    .onConflictDoUpdate({
      target: recon_bill.hash,
      set: { waiting: null, version: sql`${recon_bill.version} + 1` },
    })
    .returning({ id: recon_bill.id })
  await writeBill(tx, { channel, day, rows }, kept!.id)
  await matchDay(tx, day, of.own)
  return kept!.id
}
type Work = {
  database: Pick<Database, 'db' | 'transaction'>
  source: BillSource
  /** Our own number at the channel. */ own: string
  now: number
}
/** A file that came: what is wrong with it, or its bill. */
const taken = async (work: Work, one: Fetch, file: Buffer): Promise<void> => {
  const { database, own, now } = work
  const bill = await parseFile('bill', { file, day: one.day })
  if ('fault' in bill || bill.form !== one.form) {
    const answer = keptWords('fault' in bill ? bill.fault : otherForm)
    await note(database.db, one, { state: 'failed', answer, ask_at: later(one, now, HOUR) })
    return
  }
  const hash = createHash('sha256').update(file).digest('hex')
  await database.transaction(async tx => {
    const id = await importBill(tx, bill, { hash, own, now })
    await isThere(tx, one, { id, at: now })
  })
}
/** Where the channel has no bill although something moved, that is a failure. */
const noneOf = async ({ database: { db }, now }: Work, one: Fetch): Promise<void> => {
  const ours = await oursOf(db, { day: one.day, channel: 'wechat', forms: [one.form] })
  await note(
    db,
    one,
    ours.length === 0
      ? { state: 'none', answer: '', ask_at: null, fetched_at: now }
      : {
          state: 'failed',
          answer: joined([
            `微信支付说这一天没有账单，平台有 ${ours.length} 笔收付款`,
            `WeChat Pay has no bill of that day, though money moved here: ${ours.length} in all`,
          ]),
          ask_at: later(one, now, HOUR),
        },
  )
}
const notReady = (
  one: Fetch,
  answer: Exclude<BillAnswer, { state: 'ready' | 'none' }>,
  now: number,
): Said => {
  const ask_at = later(one, now, answer.state === 'failed' ? HOUR : undefined)
  const failed = answer.state !== 'later' || ask_at === null
  return { state: failed ? 'failed' : 'waiting', answer: answer.text.slice(0, SAID), ask_at }
}
const fetchOne = async (work: Work, one: Fetch): Promise<void> => {
  const { database, source, now } = work
  const there = await importedOf(database.db, one)
  if (there) return void (await isThere(database.db, one, there))
  const answer = await source.bill(one)
  if (answer.state === 'ready') return taken(work, one, answer.file)
  if (answer.state === 'none') return noneOf(work, one)
  await note(database.db, one, notReady(one, answer, now))
}
/**
 * Plans and fetches what is due, each bill outside any transaction until it is there: what a person
 * imported is not asked for, what is silent is asked again. Answers how many were due.
 */
export const fetchBills = async (work: Work & { failed?: Failed }): Promise<number> => {
  const { database, source, now } = work
  if (source.name === 'none') return 0
  const due = await database.transaction(async tx => {
    await planBills(tx, now)
    return takeDue(tx, now)
  })
  await oneByOne(due, one => fetchOne(work, one), work.failed)
  return due.length
}
