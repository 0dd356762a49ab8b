import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { coupon, coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { redeem_code, redeem_log } from '#src/areas/redeemCode/redeemCode.table.ts'
import { openKeyFile } from '#src/areas/secret/keyFile.server.ts'
import { openDatabase, type Database } from '#src/server/db/database.ts'
import { copyOfTemplate, onlyOn } from '../farm.ts'
import { CODE_KEYS } from '../farm/codeKeys.ts'
import { ask, built, startServer, type Answered } from '../farm/server.ts'
import { batchOf, couponOf, membersOf } from '../help/redeem.ts'

onlyOn('postgres')('two server processes on one PostgreSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mallet-two-'))
  let database: Database
  let remove: () => Promise<void>
  let addresses: string[]
  let token: string
  beforeAll(async () => {
    await built()
    const copy = await copyOfTemplate()
    if (!('url' in copy.options)) throw new Error('no PostgreSQL')
    remove = copy.remove
    database = await openDatabase(copy.options)
    const settings = {
      DATABASE_URL: copy.options.url!,
      MALLET_DATA: folder,
      MALLET_CODE_KEYS: CODE_KEYS,
      MALLET_SIMULATOR: 'off',
    }
    addresses = await Promise.all([startServer(settings).ready, startServer(settings).ready])
    const said = await ask(addresses[0]!, 'login', {
      body: { account: 'admin', password: 'Mallet#2026' },
    })
    token = (said.data as { token: string }).token
  }, 240_000)
  afterAll(async () => {
    await database.close()
    await remove()
    rmSync(folder, { recursive: true, force: true })
  })
  /** A call that is sent again under its key for as long as the server is too busy, as clients do. */
  const askPatiently = async (address: string, path: string, of: object): Promise<Answered> => {
    const said = await ask(address, path, of)
    return said.http === 503 ? askPatiently(address, path, of) : said
  }
  /** The same call so many times at once, every other one to the other server. */
  const atOnce = (n: number, path: string, body: (at: number) => object): Promise<Answered[]> =>
    Promise.all(
      Array.from({ length: n }, (_, at) =>
        askPatiently(addresses[at % 2]!, path, { token, key: `two-${path}-${at}`, body: body(at) }),
      ),
    )

  it('of 200 members who are given the last piece of a coupon one has it', async () => {
    const { id } = await couponOf(database, { total: 1, claim_kind: 'admin' })
    const members = await membersOf(database, 200)
    const said = await atOnce(200, 'coupon/index/grant', at => ({
      id,
      member_ids: [members[at]!.id],
      quantity: 1,
      reason: '最后一张',
    }))
    const results = said.map(
      ({ data }) => data as { ok: number[]; failed: { id: number; code: string }[] },
    )
    expect(results.flatMap(one => one.ok)).toHaveLength(1)
    expect(new Set(results.flatMap(one => one.failed.map(({ code }) => code)))).toEqual(
      new Set(['used_up']),
    )
    const { db } = database
    const [of] = await db.select().from(coupon).where(eq(coupon.id, id))
    const grants = await db.select().from(coupon_grant).where(eq(coupon_grant.coupon_id, id))
    expect([of!.claimed_count, grants.length]).toEqual([1, 1])
  }, 120_000)

  it('of 100 redemptions of one code one succeeds, and the others are told', async () => {
    const { db } = database
    const [maker] = await db.select().from(admin).limit(1)
    const codeKeys = openKeyFile(CODE_KEYS)
    const { batch } = await batchOf(
      database,
      { install: { codeKeys } },
      { created_by: maker!.id, limit_member: null },
    )
    const [code] = await db.select().from(redeem_code).where(eq(redeem_code.batch_id, batch.id))
    const members = await membersOf(database, 100)
    const said = await atOnce(100, 'redeemCode/vertify/redeemFor', at => {
      const { phone } = members[at]!
      return { id: code!.id, phone, phone_tail: phone.slice(-4) }
    })
    const results = said.map(({ data }) => (data as { result: string }).result)
    expect(results.filter(result => result === 'ok')).toHaveLength(1)
    expect(results.filter(result => result === 'used')).toHaveLength(99)
    const logged = await db.select().from(redeem_log).where(eq(redeem_log.code_id, code!.id))
    expect(logged.filter(({ result }) => result === 'ok')).toHaveLength(1)
  }, 120_000)
})
