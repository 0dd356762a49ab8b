import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { admin, admin_session, role } from '#src/areas/people/people.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { openDatabase, type Database } from '#src/server/db/database.ts'
import { onlyReads } from '#src/server/db/untilWritten.ts'
import {
  endSessionsOf,
  findSession,
  openSession,
  usualLimits,
} from '#src/server/sessions/sessions.ts'
import { copyOfTemplate, onlyOn } from '../../farm.ts'

it('a statement reads alone where it is one select', () => {
  expect(['select 1', ' SELECT a from b', { text: 'select a' }].map(onlyReads)).toEqual([
    true,
    true,
    true,
  ])
  for (const text of [
    'select 1; update a set b = 1',
    'with a as (delete from b returning 1) select * from a',
    'selected',
    'begin',
    'commit',
    'update a set b = 1',
    undefined,
    {},
  ])
    expect(onlyReads(text)).toBe(false)
})

onlyOn('lite')('a session of the embedded database', () => {
  let database: Database
  let remove: () => Promise<unknown>
  let asked: string[] = []
  const now = unixNow()
  beforeAll(async () => {
    const copy = await copyOfTemplate()
    database = await openDatabase(copy.options)
    remove = copy.remove
    // Every statement of the pool goes through a client's `query`.
    database.pool.on('connect', client => {
      const query = client.query.bind(client) as (...all: unknown[]) => unknown
      client.query = ((...all: unknown[]) => {
        const text = (all[0] as { text?: string }).text ?? String(all[0])
        asked.push(text)
        return query(...all)
      }) as typeof client.query
    })
  })
  afterAll(async () => {
    await database.close()
    await remove()
  })
  let made = 0
  const someone = async () => {
    const name = `written${++made}`
    const [own] = await database.db
      .insert(role)
      .values({ name, code: name, perms: ['audit.*'], scope_type: 'all' })
      .returning()
    const [person] = await database.db
      .insert(admin)
      .values({ account: name, name, password_hash: '-', role_ids: [own!.id] })
      .returning()
    const of = { admin_id: person!.id, region: 'pro', ip: '10.0.0.1', ua: 'test', now }
    const { token } = await openSession(database.db, of, usualLimits)
    return { token, role_id: own!.id, admin_id: person!.id }
  }
  const find = (token: string, at = now) => findSession(database.db, token, 'zh', at)
  const may = async (token: string) => {
    const found = await find(token)
    return typeof found === 'string' ? found : found.staff.can('audit.bulks.view')
  }

  it('is read once, until anything is written', async () => {
    const { token } = await someone()
    await find(token)
    asked = []
    for (let at = 0; at < 5; at++) expect(await may(token)).toBe(true)
    expect(asked).toEqual([])
    await database.pool.query('update city set id = id where false')
    expect(await may(token)).toBe(true)
    expect(asked.filter(text => text.includes('admin_session'))).toHaveLength(1)
  })
  it('ends by its time, though it is remembered', async () => {
    const { token } = await someone()
    await find(token)
    expect(await find(token, now + usualLimits.idle_s)).toBe('expired')
  })
  it('has no right any more once that is taken away, however it is', async () => {
    const { token, role_id } = await someone()
    const set = async (perms: string[]) => {
      const done = database.transaction(tx =>
        tx.update(role).set({ perms }).where(eq(role.id, role_id)),
      )
      // A call that comes meanwhile may remember what was before.
      await Promise.all([done, find(token), find(token)])
    }
    for (let at = 0; at < 10; at++) {
      expect(await may(token)).toBe(true)
      await set(['order.*'])
      expect(await may(token)).toBe(false)
      await set(['audit.*'])
    }
    await database.pool.query(`update role set status = 'off' where id = $1`, [role_id])
    expect(await may(token)).toBe(false)
  })
  it('is over for every call that begins after its end was answered', async () => {
    for (let round = 0; round < 12; round++) {
      const { token, admin_id } = await someone()
      let ended = false
      const late: unknown[] = []
      const calls = Array.from({ length: 8 }, async () => {
        for (let at = 0; at < 20; at++) {
          const after = ended
          const found = await find(token)
          if (after) late.push(found)
        }
      })
      await find(token)
      await (round % 2 === 0
        ? database.transaction(tx => endSessionsOf(tx, admin_id, 'kicked', now))
        : database.db
            .update(admin_session)
            .set({ ended_at: now, end_reason: 'kicked' })
            .where(eq(admin_session.admin_id, admin_id)))
      ended = true
      await Promise.all(calls)
      late.push(await find(token))
      expect(new Set(late)).toEqual(new Set(['none']))
    }
  })
})
