import { eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { film_refund } from '#src/areas/film/film.table.ts'
import { noProviders } from '#src/areas/film/provider.channel.ts'
import { openFilmRefund } from '#src/areas/filmRefund/refund.server.ts'
import { sendReturns } from '#src/areas/filmRefund/returning.server.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { filmRefunds as calls } from '#src/modules/film/contract/refund.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { anOwner, soldFilm, type Owner } from '../../help/filmOrders.ts'
import { finishPayouts } from '../../help/orders.ts'

onlyOn('postgres')('at the same moment', () => {
  let database: Database
  let app: App
  let owner: Owner
  let people: Awaited<ReturnType<typeof addStaff>>[]
  beforeAll(async () => {
    database = await openCopy({ poolSize: 20 })
    app = await openApp(database)
    owner = await anOwner(database)
    people = []
    for (let n = 0; n < 4; n++)
      people.push(
        await addStaff(database, {
          perms: ['film.refund.*'],
          role: { refund_limit_cents: 1_000_00 },
        }),
      )
  })
  const asked = (order_id: number) =>
    database.transaction(tx =>
      openFilmRefund(tx, {
        order_id,
        kind: 'user',
        reason: '行程有变',
        source: 'member',
        now: unixNow(),
      }),
    )
  const opened = async () => {
    const row = await soldFilm(database, { owner })
    const made = await asked(row.id)
    const [part] = await database.db
      .select()
      .from(film_refund)
      .where(eq(film_refund.refund_id, made.id))
    return { id: part!.id, refund_id: made.id, version: made.version, order_id: row.id }
  }
  const outsOf = (refund_id: number) =>
    database.db.select().from(payment).where(eq(payment.refund_id, refund_id))

  it('one refund of an order is opened, the other is told of it', async () => {
    const row = await soldFilm(database, { owner })
    const made = await Promise.allSettled([asked(row.id), asked(row.id), asked(row.id)])
    expect(made.filter(one => one.status === 'fulfilled')).toHaveLength(1)
    const rules = made.flatMap(one => (one.status === 'rejected' ? one.reason.data.rule : []))
    expect(rules).toEqual(['refund_open', 'refund_open'])
  })
  it('one person agrees, the others are told who did', async () => {
    const { id, version, refund_id } = await opened()
    const said = await Promise.all(
      people.map(one => send(app, calls.approve, { id, version }, { token: one.token })),
    )
    expect(said.filter(one => one.status === 200)).toHaveLength(1)
    const losers = said.filter(one => one.status !== 200)
    expect(losers.map(one => one.status)).toEqual([409, 409, 409])
    const winner = people[said.findIndex(one => one.status === 200)]!.account
    expect(losers.every(one => one.data.by.name === winner)).toBe(true)
    expect(await outsOf(refund_id)).toEqual([])
  })
  it('one process gives tickets back, and the money leaves once', async () => {
    const { id, version, refund_id } = await opened()
    await send(app, calls.approve, { id, version }, { token: people[0]!.token })
    const [row] = await database.db.select().from(film_refund).where(eq(film_refund.id, id))
    let times = 0
    const tickets = {
      ...noProviders,
      provider_a: {
        ...noProviders.provider_a,
        giveBack: async () => {
          times++
          return { state: 'returned' as const, cost_return_cents: 70_00 }
        },
      },
    }
    const now = row!.ask_at!
    await database.db
      .update(film_refund)
      .set({ ask_at: null })
      .where(eq(film_refund.provider_state, 'returning'))
    await database.db.update(film_refund).set({ ask_at: now }).where(eq(film_refund.id, id))
    await Promise.all([1, 2, 3].map(() => sendReturns({ database, tickets, now: unixNow() })))
    await finishPayouts(database, unixNow())
    expect(times).toBe(1)
    expect((await outsOf(refund_id)).map(one => one.amount_cents)).toEqual([77_40])
    const [done] = await database.db.select().from(refund).where(eq(refund.id, refund_id))
    expect(done!.state).toBe('done')
  })
  it('a person’s word and the provider’s count once between them', async () => {
    const { id, version, refund_id } = await opened()
    const token = people[0]!.token
    const agreed = await send(app, calls.approve, { id, version }, { token })
    const tickets = {
      ...noProviders,
      provider_a: {
        ...noProviders.provider_a,
        giveBack: async () => ({ state: 'returned' as const, cost_return_cents: 70_00 }),
      },
    }
    await Promise.all([
      send(
        app,
        calls.confirmProvider,
        { id, version: agreed.data.version, cost_return_cents: 30_00 },
        { token },
      ),
      sendReturns({ database, tickets, now: unixNow() }),
    ])
    await finishPayouts(database, unixNow())
    const outs = await outsOf(refund_id)
    expect(outs.map(one => [one.amount_cents, one.state])).toEqual([[77_40, 'success']])
    const [part] = await database.db.select().from(film_refund).where(eq(film_refund.id, id))
    expect(part!.loss_cents).toBe(77_40 - part!.cost_return_cents)
  })
})
