/**
 * `node --import ./src/source.mjs tests/e2e/rows.server.ts SOCKET ASKED`: rows of a journey's own, where nothing that a page offers makes them: sellers and merchants ask
 * for money at places of theirs. They are written by the functions that the server calls, into the
 * database of the server whose pages the journey opens.
 */
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { distributors, lineOf, merchants, ours } from '#src/areas/ledger/ledger.ts'
import { post } from '#src/areas/ledger/post.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { channel_pay_plan } from '#src/areas/payment/channel.table.ts'
import { applyWithdrawal } from '#src/areas/payout/applying.server.ts'
import type { PayoutChannel } from '#src/areas/payout/withdrawing.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { journeyMerchant } from './journeyMerchant.ts'
import { openOfServer } from './rowsDatabase.ts'

type Owners = 'merchant' | 'distributor'
let made = 0
/** A number that no other run of a journey has. */
const own = () => `${String(Date.now()).slice(-9)}${String(++made).padStart(2, '0')}`

/** A merchant of a journey's own, who trades. */
const aMerchant = async ({ db }: Database) => {
  const [one] = await db.insert(merchant).values(journeyMerchant(own())).returning()
  return one!
}
/** A seller of a journey's own, whose identity was verified. */
const aSeller = async ({ db }: Database) => {
  const no = own()
  const [person] = await db
    .insert(member)
    .values({
      uid: `LC${no}`,
      nickname: `旅程${no}`,
      phone: `15${no.slice(-9)}`,
      city_id: 1,
      register_at: unixNow() - DAY,
    })
    .returning()
  const [one] = await db
    .insert(distributor)
    .values({
      kind: 'expert',
      member_id: person!.id,
      name: `旅程达人${no.slice(-6)}`,
      phone: person!.phone!,
      invite_code: `LC${no.slice(-8)}`,
      city_id: 1,
      real_name_ok: true,
      status: 'active',
      joined_at: unixNow() - DAY,
    })
    .returning()
  return one!
}
/**
 * A withdrawal of somebody of the journey's own, who has ten times as much; answers its number.
 * `fails`: WeChat refuses its first transfer.
 */
const aWithdrawal = async (
  database: Database,
  of: { owner_kind: Owners; channel: PayoutChannel; fails?: boolean },
): Promise<string> => {
  const { owner_kind, channel, fails = false } = of
  const amount_cents = 150_00
  const owner = await (owner_kind === 'merchant' ? aMerchant(database) : aSeller(database))
  const balance =
    owner_kind === 'merchant'
      ? merchants('merchant_balance', owner.id)
      : distributors('distributor_balance', owner.id)
  return database.transaction(async tx => {
    await post(tx, {
      biz: 'adjust',
      biz_id: owner.id,
      biz_no: 'JOURNEY',
      idem_key: `journey:${owner_kind}:${owner.id}`,
      at: unixNow(),
      lines: [
        ...lineOf(ours('bank_cash'), amount_cents * 10),
        ...lineOf(balance, -amount_cents * 10),
      ],
    })
    const { no } = await applyWithdrawal(tx, {
      owner_kind,
      owner_id: owner.id,
      amount_cents,
      channel,
      payee_name: owner.name,
      payee_no: channel === 'bank' ? '6222020200112233445' : `o${owner.id}`,
      now: unixNow(),
    })
    if (fails)
      await tx
        .insert(channel_pay_plan)
        .values({ out_no: no, plan: { fail: 'NAME_NOT_CORRECT', delay_s: 0 } })
    return no
  })
}

const [socket, asked] = process.argv.slice(2) as [string, string]
const database = await openOfServer(socket)
const numbers: string[] = []
for (const one of JSON.parse(asked) as Parameters<typeof aWithdrawal>[1][])
  numbers.push(await aWithdrawal(database, one))
await database.close()
process.stdout.write(JSON.stringify(numbers))
