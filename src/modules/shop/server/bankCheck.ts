import { accountFault, CHECKS_A_DAY, noBankText, TRIES } from '#src/areas/bankCheck/bankCheck.ts'
import {
  answerCheck,
  awaitsBank,
  bankStateOf,
  postEnded,
  startCheck,
} from '#src/areas/bankCheck/bankChecks.server.ts'
import { sendChecks } from '#src/areas/bankCheck/sending.server.ts'
import { implement, type Handler, type Install } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { shopBank as contract } from '../contract/bankCheck.ts'
import { heldFor, merchants, type Merchant } from './merchants.ts'

/** How the verification of a merchant's account stands, for whoever reads the merchant. */
export const standingOf = (
  db: Parameters<typeof bankStateOf>[0],
  row: Merchant,
  { now, install }: { now: number; install: Pick<Install, 'bank'> },
) => bankStateOf(db, row, { now, isConnected: install.bank.name !== 'none' })

const handlers = {
  bankStanding: async ({ id }, { db, staff, ...context }) =>
    standingOf(db, await merchants.read(db, staff, id), context),
  verifyBank: async (one, context) => {
    const { tx, staff, now, install } = context
    const was = await heldFor(context, 'verifyBank', one)
    if (install.bank.name === 'none') throw ruled('no_channel', noBankText)
    const fault = accountFault(was)
    if (fault) throw ruled('no_account', fault)
    if (was.bank_verified_at !== null)
      throw ruled('already_verified', [
        '该结算账户已验证，账户变更后才需重新打款',
        'The account is verified already: a payment is needed only after it changed',
      ])
    const made = await startCheck(tx, was, { by: staff.id, now })
    if (!made)
      throw ruled('daily_limit', [
        `该商户今天已打款验证 ${CHECKS_A_DAY} 次，请明天再试`,
        `${CHECKS_A_DAY} payments were made for this merchant today: try again tomorrow`,
      ])
    merchants.log(context, was, {
      before: null,
      after: { bank_check: 'sending', bank_check_no: made.no },
    })
    return { id: was.id, no: made.no, left_today: CHECKS_A_DAY - made.nth }
  },
  confirmBank: async ({ id, no, amount_cents }, context) => {
    const { tx, staff, now } = context
    const was = await merchants.lock(context, id)
    const of = { merchant_id: id, no, amount_cents }
    const after = await answerCheck(tx, of, { by: staff.id, now })
    if (!after)
      throw ruled('not_waiting', [
        '这笔打款已不在等待金额：可能已有同事填写、重新打款或账户已变更，请刷新后查看',
        'The payment awaits no amount: a colleague answered or paid anew, or the account changed. Look again',
      ])
    const is_verified = after.state === 'verified'
    merchants.log(context, was, {
      before: { bank_check: 'waiting' },
      after: { bank_check: after.state, bank_check_no: no, wrong_amounts: after.wrong },
    })
    // The database clears this with any change of the account.
    if (is_verified)
      await merchants.save(context, was, { bank_verified_at: now, bank_verified_by: staff.id })
    return { id, is_verified, tries_left: is_verified ? 0 : TRIES - after.wrong }
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const shopBankServer = implement(contract, handlers)

/**
 * Payments are sent and asked for: as soon as one was begun, again while the bank is about to
 * answer, and by the minute for what was kept waiting. Those that ended are posted.
 */
defineTimer(
  'shop.bankChecks',
  '* * * * *',
  async ({ database, install, log, now }) => {
    const failed = (error: unknown, id: number) =>
      log.error({ err: error, what: 'an account check', id }, 'the clock could not do it')
    const sent = await sendChecks({ database, channel: install.bank, log, now, failed })
    const posted = await database.transaction(tx => postEnded(tx, now))
    return [
      ...(sent + posted > 0 ? ['bank_check'] : []),
      ...(posted > 0 ? ['ledger', 'ledger_txn'] : []),
      ...((await awaitsBank(database.db, now)) ? ['bank_paying'] : []),
    ]
  },
  ['bank_check', 'bank_paying'],
)
