import { beforeAll, expect, it } from 'vitest'
import { unixNow } from '#src/domain/time.ts'
import { codeServer } from '#src/modules/ecard/server/code.ts'
import { codeBatchServer } from '#src/modules/ecard/server/codeBatches.ts'
import { cardRiskServer } from '#src/modules/ecard/server/risk.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { openCopy } from '../../farm.ts'
import { facedCard } from '../../help/ecardCodes.ts'
import { fill } from '../../help/fill.ts'

const ROWS = 60_000
const now = unixNow()
let database: Database
let card_id: number
beforeAll(async () => {
  database = await openCopy()
  const { card, face } = await facedCard(database)
  card_id = card.id
  await fill(
    database.pool,
    `insert into ecard_code (card_id, attr_id, batch_no, card_no, secret_enc, secret_hash, state, face_cents)
     select ${card.id}, ${face.id}, 'P' || n % 300, 'PL' || lpad(n::text, 10, '0'), 'x', 'plan' || n, case when n % 50 = 0 then 'void' else 'free' end, 100 from generate_series(1, ${ROWS}) n`,
  )
  await fill(
    database.pool,
    `insert into ecard_batch (card_id, attr_id, batch_no, kind, qty, reason, admin_id)
     select case when n % 100 = 0 then ${card.id} else (select min(id) from ecard) end, ${face.id}, 'P' || n, 'generate', 10, 'x', 1 from generate_series(1, 20000) n`,
  )
  await fill(
    database.pool,
    `insert into risk_hit (domain, rule, scene, level, score, city_id, note, state, hit_at, last_at, member_id, decided_at)
     select 'ecard', 'card_payers', 'ecard', case when n % 100 = 0 then 'high' else 'low' end, 60, 1, 'x', case when n % 50 = 0 then 'open' else 'released' end, ${now} - n * 100, ${now} - n * 100, 1 + n % 20, case when n % 50 = 0 then null else ${now} end from generate_series(1, 20000) n`,
  )
  await database.pool.query('analyze')
}, 120_000)
const staff = {
  id: 1,
  scope: everything,
  lang: 'zh' as const,
  can: () => true,
  field: () => 'show',
}
const asked = (filter: object) => ({ page: 1, pageSize: 50, card_id, ...filter }) as never

it.each([
  ['none', {}],
  ['state', { state: 'void' }],
  ['batch', { batch_no: 'P7' }],
  ['number', { keyword: 'PL0000000042' }],
  ['end', { keyword: '0042' }],
])('codes are found by an index: %s', async (_, filter) => {
  const plans = await plansOf(database.pool, db =>
    codeServer.handlers.lst(asked(filter), { db, staff, now } as never),
  )
  // How many there are is counted up to a bound: where all match, that is no index's work.
  const rows = plans.filter(({ text }) => !text.includes('count('))
  expect(rows.length).toBeGreaterThan(0)
  expect(seqScans(rows, 'ecard_code')).toEqual([])
})
it('batches are found by their card', async () => {
  const plans = await plansOf(database.pool, db =>
    codeBatchServer.handlers.lst(asked({}), { db, staff, now } as never),
  )
  expect(seqScans(plans, 'ecard_batch')).toEqual([])
})
it.each([
  ['waiting', {}],
  ['decided', { state: 'released' }],
  ['level', { state: 'all', level: 'high' }],
  ['member', { state: 'all', keyword: '12' }],
  ['period', { state: 'all', from: now - 1000, to: now }],
])('hits of e-cards are found by an index: %s', async (_, filter) => {
  const plans = await plansOf(database.pool, db =>
    cardRiskServer.handlers.lst(
      { page: 1, pageSize: 50, state: 'waiting', ...filter } as never,
      {
        db,
        staff,
        now,
      } as never,
    ),
  )
  const rows = plans.filter(({ text }) => !text.includes('count('))
  expect(rows.length).toBeGreaterThan(0)
  expect(seqScans(rows, 'risk_hit')).toEqual([])
})
