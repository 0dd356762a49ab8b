// A million redeem codes: made, imported and voided by the job, over HTTP on PostgreSQL; then the
// desk among them. `BENCH_CODES=100000` is shorter.
import { setTimeout as sleep } from 'node:timers/promises'
import { admin, role } from '#src/areas/people/people.table.ts'
import { code_batch } from '#src/areas/redeemCode/redeemCode.table.ts'
import { drawCodes } from '#src/areas/secret/secrets.server.ts'
import type { Call } from '#src/contract/call.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { jobs } from '#src/modules/job/contract.ts'
import { codeBatches as calls } from '#src/modules/redeemCode/contract/index.ts'
import { codeDesk } from '#src/modules/redeemCode/contract/vertify.ts'
import { openDatabase } from '#src/server/db/database.ts'
import { migrate } from '#src/server/db/migrate.ts'
import { openSession, usualLimits } from '#src/server/sessions/sessions.ts'
import { benchPostgres } from './postgres.ts'
import { asker, serveBuilt } from './server.ts'
import { atMost, bench, quantile, told } from './table.ts'

const CODES = Number(process.env.BENCH_CODES ?? 1_000_000)
const JOB_S = 60
const JOB_MB = 200
const DESK_MS = 100
const SCANS = 100
const FORM = { alphabet: 'mixed', length: 18, prefix: 'BNCH' } as const
type Job = { state: string; rows_failed: number; rows_total: number; rows_done: number }

await bench(`${CODES.toLocaleString('en')} redeem codes`, async note => {
  const postgres = await benchPostgres()
  const url = postgres.url('postgres')
  const database = await openDatabase({ url })
  await migrate(database)
  const now = unixNow()
  const [own] = await database.db
    .insert(role)
    .values({ name: 'bench', code: 'bench', perms: ['*'], scope_type: 'all' })
    .returning()
  const [person] = await database.db
    .insert(admin)
    .values({ account: 'bench', name: 'bench', password_hash: '-', role_ids: [own!.id] })
    .returning()
  const batch = async (name: string, prefix: string) =>
    (
      await database.db
        .insert(code_batch)
        .values({
          ...FORM,
          name,
          prefix,
          partner: name,
          code_kind: 'once',
          quantity: CODES,
          start_at: now - DAY,
          end_at: now + DAY,
          bearer: 'platform',
          points: 1,
          budget_cents: CODES,
          status: 'running',
          created_by: person!.id,
        })
        .returning({ id: code_batch.id })
    )[0]!.id
  const [made, brought] = [await batch('made', FORM.prefix), await batch('brought', 'BRGT')]
  const { token } = await openSession(
    database.db,
    { admin_id: person!.id, region: 'pro', ip: '10.0.0.1', ua: 'bench', now },
    usualLimits,
  )
  const served = await serveBuilt(undefined, undefined, { url })
  const ask = asker(served.address, token)
  const held = async (id: number) => {
    const { data } = await ask<{ version: number }>(calls.detail as Call, { id })
    return { id, version: data.version }
  }
  const oldest = async (): Promise<number> => {
    const { rows } = await database.pool.query<{ s: number }>(
      `select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float s from pg_stat_activity where application_name = 'mallet' and pid <> pg_backend_pid()`,
    )
    return rows[0]!.s
  }
  /**
   * Begins a job, waits for its end, and answers its seconds, what memory it took beside, and the
   * longest transaction meanwhile.
   */
  const timed = async (call: Call, input: object) => {
    const before = (await served.probe('watch')).rss
    const began = performance.now()
    let [most, longest, over] = [before, 0, false]
    const looked = (async () => {
      for (; !over; await sleep(50)) {
        longest = Math.max(longest, await oldest())
        most = Math.max(most, (await served.probe()).rss)
      }
    })()
    const { data, ms } = await ask<{ job_id: number }>(call, input)
    for (;;) {
      await sleep(200)
      const { data: mine } = await ask<{ list: Job[] }>(jobs.mine as Call, { ids: [data.job_id] })
      const job = mine.list[0]!
      if (job.state === 'queued' || job.state === 'running') continue
      if (job.state !== 'done' || job.rows_failed > 0)
        throw new Error(`${call.path}: ${JSON.stringify(job)}`)
      over = true
      await looked
      const s = (performance.now() - began) / 1000
      return { s, mb: (most - before) / 1024 / 1024, answered_s: ms / 1000, longest }
    }
  }
  const noted = (what: string, { s, mb, answered_s, longest }: Awaited<ReturnType<typeof timed>>) =>
    note(
      atMost(`${what}: time`, s, (JOB_S * CODES) / 1_000_000, 's'),
      atMost(`${what}: memory beside`, mb, JOB_MB, 'MB'),
      told(`${what}: answered after`, answered_s, 's'),
      told(`${what}: longest transaction`, longest * 1000, 'ms'),
    )
  noted('made', await timed(calls.generate as Call, { ...(await held(made)), qty: CODES }))
  const file = Buffer.from(drawCodes({ ...FORM, prefix: 'BRGT' }, CODES).join('\n'))
  const secret_file = file.toString('base64')
  noted(
    'imported',
    await timed(calls.importCodes as Call, { ...(await held(brought)), secret_file }),
  )
  await database.pool.query('vacuum analyze redeem_code')
  const scans: number[] = []
  const codes = file.toString('utf8').split('\n')
  for (let at = 0; at < SCANS; at++)
    scans.push(
      (await ask(codeDesk.lookup as Call, { secret_code: codes[(at * 7919) % CODES]! })).ms,
    )
  note(
    atMost('a scan at the desk, p95', quantile(scans, 0.95), DESK_MS, 'ms'),
    told('a scan at the desk, p50', quantile(scans, 0.5), 'ms'),
  )
  const range = { from: 1, to: CODES, reason: 'bench' }
  noted('voided', await timed(calls.voidCodes as Call, { ...(await held(made)), ...range }))
  await served.close()
  await database.close()
  await postgres.stop()
})
