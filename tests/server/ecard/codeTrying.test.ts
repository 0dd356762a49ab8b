import { eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { ecard_try } from '#src/areas/ecard/code.table.ts'
import { WRONG_ADDRESS, WRONG_CARD } from '#src/areas/ecard/code.ts'
import { holdCodes, sellCodes, showSecret } from '#src/areas/ecard/codeLife.server.ts'
import { tryCard, type CardTry } from '#src/areas/ecard/codeTrying.server.ts'
import { redeemCode } from '#src/areas/redeemCode/redeem.server.ts'
import type { Sealer } from '#src/areas/secret/secrets.server.ts'
import { DAY, HOUR, unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { codeRow, facedCard, orderNo, sealerFor } from '../../help/ecardCodes.ts'
import { membersOf } from '../../help/redeem.ts'

let database: Database
let sealer: Sealer
beforeAll(async () => {
  database = await openCopy()
  sealer = await sealerFor(database)
})
const now = unixNow()
const bought = async () => {
  const { face } = await facedCard(database, { source: 'generate' })
  const order_id = orderNo()
  return database.transaction(async tx => {
    await holdCodes(tx, sealer, { attr_id: face.id, n: 1, order_id, now })
    const [code] = await sellCodes(tx, order_id, now)
    return { ...code!, ...(await showSecret(tx, sealer, { code_id: code!.id, now })) }
  })
}
const tried = async (of: Partial<CardTry> & Pick<CardTry, 'card_no' | 'secret'>) => {
  const member_id = of.member_id ?? (await membersOf(database))[0]!.id
  return database.transaction(tx =>
    tryCard(tx, sealer, { device_id: '', ip: '', now, ...of, member_id }),
  )
}
let addresses = 0
const address = () => `10.77.77.${++addresses}`

it('the right secret binds the card, and is kept among the tries', async () => {
  const { id, card_no, secret } = await bought()
  const typed = { card_no: ` ${card_no.toLowerCase()} `, secret: secret.toLowerCase() }
  expect((await tried(typed)).result).toBe('ok')
  expect(await codeRow(database, id)).toMatchObject({ state: 'active' })
  expect((await tried(typed)).result).toBe('refused')
  const kept = await database.db.select().from(ecard_try).where(eq(ecard_try.code_id, id))
  expect(kept.map(row => row.result).toSorted()).toEqual(['ok', 'refused'])
  expect(JSON.stringify(kept)).not.toContain(secret)
})
it('five wrong secrets lock the card for a day, even for the right one', async () => {
  const { card_no, secret } = await bought()
  for (let n = 0; n < WRONG_CARD; n++)
    expect((await tried({ card_no, secret: `WRONG${n}` })).result).toBe('wrong')
  expect((await tried({ card_no, secret })).result).toBe('locked')
  expect((await tried({ card_no, secret, now: now + DAY - 1 })).result).toBe('locked')
  expect((await tried({ card_no, secret, now: now + DAY })).result).toBe('ok')
})
it('at once no more than five are tried', async () => {
  const { card_no } = await bought()
  const all = await Promise.all(
    Array.from({ length: 12 }, (_, n) => tried({ card_no, secret: `WRONG${n}` })),
  )
  expect(all.filter(one => one.result === 'wrong')).toHaveLength(WRONG_CARD)
})
it('twenty wrong ones lock their address for an hour, for codes to redeem as well', async () => {
  const ip = address()
  for (let n = 0; n < WRONG_ADDRESS; n++) {
    const said = await tried({ card_no: `NONE${n}`, secret: 'WRONG', ip })
    expect(said.result).toBe('unknown')
  }
  const { card_no, secret } = await bought()
  expect((await tried({ card_no, secret, ip })).result).toBe('locked')
  const [someone] = await membersOf(database)
  const redeemed = await database.transaction(tx =>
    redeemCode(tx, sealer, {
      code: 'ANYCODE1',
      member: someone!,
      channel: 'mini',
      staff_id: null,
      mall_id: 0,
      device_id: '',
      ip,
      now,
    }),
  )
  expect(redeemed.refusal?.result).toBe('locked')
  expect((await tried({ card_no, secret, ip, now: now + HOUR })).result).toBe('ok')
})
it('nobody is told whether a number exists', async () => {
  const { card_no } = await bought()
  const [there, none] = [
    await tried({ card_no, secret: 'WRONG' }),
    await tried({ card_no: 'NOSUCHCARD', secret: 'WRONG' }),
  ]
  expect('text' in there && there.text).toEqual('text' in none && none.text)
  for (let n = 1; n < WRONG_CARD; n++) await tried({ card_no: 'NOSUCHCARD', secret: 'WRONG' })
  expect((await tried({ card_no: 'NOSUCHCARD', secret: 'WRONG' })).result).toBe('locked')
})
