import { eq } from 'drizzle-orm'
import { joined } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { channel_contract as t, type PayPlan } from './channel.table.ts'
import type { ContractAnswer, ContractPay } from './contractPay.channel.ts'
import { embeddedPay, planOf, silentWhenAway } from './embeddedPay.channel.ts'
import type { PayAnswer } from './pay.channel.ts'

const silence = {
  state: 'unknown',
  text: joined(['代扣渠道没有应答', 'The channel of deductions does not answer']),
} as const
const refused = (code: string): PayAnswer => ({ state: 'failed', code, text: code })
export type EmbeddedContracts = ContractPay & {
  /** How charges on a contract are to be answered from now on; a payer may end it themselves. */
  plan: (contract_no: string, of: { state?: 'signed' | 'ended'; plan?: PayPlan }) => Promise<void>
}

/**
 * Contracts for trials: no money moves. Whoever pays an order that offers one signs it, unless a
 * plan says that the number fails. Charges are payments of the embedded channel, in its own book.
 */
export const embeddedContracts = (
  database: Pick<Database, 'db' | 'transaction'>,
  of: { now?: () => number } = {},
): EmbeddedContracts => {
  const pay = embeddedPay(database, of)
  const find = async (db: Db, no: string) =>
    (await db.select().from(t).where(eq(t.contract_no, no)))[0]
  const asked = (answer: () => Promise<ContractAnswer>) =>
    silentWhenAway<ContractAnswer>(answer, silence)
  return {
    name: 'embedded',
    queryContract: no =>
      asked(async () => {
        const known = await find(database.db, no)
        if (known) return { state: known.state }
        if ((await planOf(database.db, no)).fail) return { state: 'ended' }
        await database.db
          .insert(t)
          .values({ contract_no: no, state: 'signed' })
          .onConflictDoNothing()
        return { state: (await find(database.db, no))!.state }
      }),
    endContract: no =>
      asked(async () => {
        await database.db
          .insert(t)
          .values({ contract_no: no, state: 'ended' })
          .onConflictDoUpdate({ target: t.contract_no, set: { state: 'ended' } })
        return { state: 'ended' }
      }),
    charge: async ({ out_no, contract_no, amount_cents }) => {
      const standing = await silentWhenAway(
        async () => ({ contract: await find(database.db, contract_no) }),
        null,
      )
      if (standing === null) return silence
      const { contract } = standing
      if (contract?.state !== 'signed') return refused('CONTRACT_NOT_EXIST')
      if (contract.plan.fail) return refused(contract.plan.fail)
      return pay.pay({ out_no, amount_cents })
    },
    queryCharge: pay.queryPayment,
    plan: async (contract_no, set) =>
      void (await database.db
        .insert(t)
        .values({ contract_no, state: 'signed', ...set })
        .onConflictDoUpdate({ target: t.contract_no, set })),
  }
}

/** Where no channel is set up: nothing is signed or charged, and that is said. */
export const noContracts: ContractPay = {
  name: 'none',
  queryContract: async () => ({ state: 'ended' }),
  endContract: async () => ({ state: 'ended' }),
  charge: async () => refused('no_channel'),
  queryCharge: async () => refused('RESOURCE_NOT_EXISTS'),
}
