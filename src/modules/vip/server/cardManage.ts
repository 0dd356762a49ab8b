import { setImmediate as breath } from 'node:timers/promises'
import { and, count, eq, inArray, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { pickMembers } from '#src/areas/member/picking.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { aesZip, drawPassword } from '#src/areas/secret/aesZip.server.ts'
import { groupedCode, normalCode } from '#src/areas/secret/secretCode.ts'
import { sealerOf } from '#src/areas/secret/secrets.server.ts'
import { slicesOf, type Slice } from '#src/areas/secret/slices.server.ts'
import {
  ALONE_MOST,
  batchCan,
  vipCodeCan,
  type BatchState,
  type BatchVerb,
  type VipCodeState,
  type VipCodeVerb,
} from '#src/areas/vipCard/code.ts'
import {
  beginBatch,
  expireNumbers,
  extendNumbers,
  issueNumbers,
  makeNumbers,
  secretsOf,
  tryNumber,
  type VipBatch,
  type VipCode,
} from '#src/areas/vipCard/codes.server.ts'
import { pickPlans } from '#src/areas/vipCard/plans.server.ts'
import { turnMemberships } from '#src/areas/vipCard/subscriptions.server.ts'
import { vip_card, vip_card_code, vip_code_batch } from '#src/areas/vipCard/vipCard.table.ts'
import { eachRow } from '#src/server/call/batch.ts'
import {
  implement,
  type Db,
  type Handler,
  type Staff,
  type WriteContext,
} from '#src/server/call/implement.ts'
import { equal, faultless, listing, record } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { seesAll } from '#src/server/call/scope.ts'
import { defineRowJob, startRowJob } from '#src/server/jobs/rowJobs.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { vipApp, vipBatches, vipCodes } from '../contract/cardManage.ts'

const sealerHere = ({ install, tx }: WriteContext) => sealerOf(install.codeKeys, tx)
/** Numbers are the house's own: whoever sees only a city sees none. */
const ofHouse = ({ scope }: Pick<Staff, 'scope'>) => (seesAll(scope) ? undefined : sql`false`)
const batches = record(vip_code_batch, {
  object: 'vip_code_batch',
  label: row => row.batch_no,
  keys: ['card_id', 'qty', 'channel', 'expire_at', 'status', 'reject_reason', 'exports'],
  places: ofHouse,
})
const codes = record(vip_card_code, {
  object: 'vip_card_code',
  label: row => row.card_no,
  keys: ['status', 'member_id', 'reason'],
  places: ofHouse,
  told: ({ status, member_id, reason }) => ({ status, member_id, reason }),
})

const namesOf = async (db: Db, ids: readonly number[]): Promise<Map<number, string>> =>
  new Map(
    (ids.length === 0
      ? []
      : await db
          .select({ id: admin.id, name: admin.name })
          .from(admin)
          .where(inArray(admin.id, [...new Set(ids)]))
    ).map(one => [one.id, one.name]),
  )
const plansNamed = async (db: Db, ids: readonly number[]): Promise<Map<number, string>> =>
  new Map(
    (ids.length === 0
      ? []
      : await db
          .select({ id: vip_card.id, name: vip_card.name })
          .from(vip_card)
          .where(inArray(vip_card.id, [...new Set(ids)]))
    ).map(one => [one.id, one.name]),
  )
type Stat = Partial<Record<VipCodeState, number>>
const statsOf = async (db: Db, ids: readonly number[]): Promise<Map<number, Stat>> => {
  const rows =
    ids.length === 0
      ? []
      : await db
          .select({ id: vip_card_code.batch_id, status: vip_card_code.status, n: count() })
          .from(vip_card_code)
          .where(inArray(vip_card_code.batch_id, [...ids]))
          .groupBy(vip_card_code.batch_id, vip_card_code.status)
  const all = new Map<number, Stat>()
  for (const { id, status, n } of rows) all.set(id, { ...all.get(id), [status]: n })
  return all
}
type BatchFilters = { status?: BatchState; card_id?: number }
const batchList = listing(batches, {
  by: vip_code_batch.id,
  down: true,
  where: (of: BatchFilters) => equal(vip_code_batch, of),
  shown: async (db, rows) => {
    const people = await namesOf(
      db,
      rows.flatMap(row => [row.maker_id, row.checker_id ?? 0]),
    )
    const plans = await plansNamed(
      db,
      rows.map(row => row.card_id),
    )
    const stats = await statsOf(
      db,
      rows.map(row => row.id),
    )
    return rows.map(row => ({
      ...row,
      card_name: plans.get(row.card_id) ?? '',
      stat: stats.get(row.id) ?? {},
      maker: people.get(row.maker_id) ?? '',
      checker: people.get(row.checker_id ?? 0) ?? '',
    }))
  },
})
type CodeFilters = { status?: VipCodeState; batch_id?: number; keyword?: string }
const codeList = listing(codes, {
  by: vip_card_code.id,
  down: true,
  where: ({ keyword, ...of }: CodeFilters) =>
    and(
      equal(vip_card_code, of),
      keyword ? eq(vip_card_code.card_no, normalCode(keyword)) : undefined,
    ),
  shown: async (db, rows) => {
    const plans = await plansNamed(
      db,
      rows.map(row => row.card_id),
    )
    const beside = await db
      .select({
        id: vip_card_code.id,
        batch_no: vip_code_batch.batch_no,
        holder: member.nickname,
        phone: member.phone,
      })
      .from(vip_card_code)
      .innerJoin(vip_code_batch, eq(vip_code_batch.id, vip_card_code.batch_id))
      .leftJoin(member, eq(member.id, vip_card_code.member_id))
      .where(
        inArray(
          vip_card_code.id,
          rows.map(row => row.id),
        ),
      )
    const byId = new Map(beside.map(one => [one.id, one]))
    return rows.map(row => {
      const of = byId.get(row.id)
      return {
        ...row,
        card_name: plans.get(row.card_id) ?? '',
        batch_no: of?.batch_no ?? '',
        holder: of?.holder ?? '',
        phone: of?.phone ?? '',
      }
    })
  },
})

/** The batch as the person holds it; 404, 409, or 422 where they can't do that with it now. */
const batchFor = async (
  context: WriteContext,
  verb: BatchVerb,
  one: { id: number; version: number },
): Promise<VipBatch> => {
  const was = await batches.heldFast(context, one)
  const may = batchCan(verb, was, { me: context.staff.id, now: context.now })
  if (may !== true) throw ruled(`batch_${verb}`, may)
  return was
}
/** A number that may have that now. */
const allowed = (verb: VipCodeVerb, was: VipCode, now: number): VipCode => {
  const may = vipCodeCan(verb, was, now)
  if (may !== true) throw ruled(`number_${verb}`, may)
  return was
}
const making = defineRowJob(
  vipBatches.approveBatch,
  async (context, { n }: Slice, { batch_id }: { batch_id: number }) =>
    makeNumbers(context.tx, await sealerHere(context), { batch_id, n, now: context.now }),
)
const batchHandlers = {
  lst: async (asked, context) => {
    const stat = await context.db
      .select({ status: vip_code_batch.status, n: count() })
      .from(vip_code_batch)
      .where(batches.seen(context.staff))
      .groupBy(vip_code_batch.status)
    return {
      ...(await batchList.page(asked as never, context)),
      stat: Object.fromEntries(stat.map(one => [one.status, one.n])),
    }
  },
  plans: pickPlans,
  makeBatch: async ({ card_id, quantity, channel, expire_at, reason }, context) => {
    const { tx, staff, now } = context
    const [plan] = await tx.select().from(vip_card).where(eq(vip_card.id, card_id)).for('share')
    if (!plan) throw missing()
    if (plan.status === 'draft')
      throw ruled('plan_draft', [
        '草稿卡种不能制卡，请先上架',
        'The plan is a draft: sell it first',
      ])
    faultless(staff, {
      expire_at: expire_at <= now ? ['须晚于现在', 'Must be later than now'] : undefined,
    })
    const waits = quantity > ALONE_MOST
    const batch = await beginBatch(tx, {
      card_id,
      qty: quantity,
      channel,
      expire_at,
      reason,
      status: waits ? 'asked' : 'making',
      maker_id: staff.id,
      created_at: now,
      updated_at: now,
    })
    batches.log(context, batch, {
      before: null,
      after: { card_id, qty: quantity, channel, expire_at },
      reason,
    })
    if (!waits)
      await makeNumbers(tx, await sealerHere(context), { batch_id: batch.id, n: quantity, now })
    return { id: batch.id, version: batch.version, waits }
  },
  approveBatch: async (one, context) => {
    const { staff, now } = context
    const was = await batchFor(context, 'approveBatch', one)
    const decided = { checker_id: staff.id, decided_at: now }
    const after = await batches.save(context, was, { status: 'making', ...decided })
    const { job_id } = await startRowJob(context, making, {
      rows: slicesOf(was.qty),
      same: { batch_id: was.id },
    })
    return { ...after, job_id }
  },
  rejectBatch: async ({ reason, ...one }, context) => {
    const was = await batchFor(context, 'rejectBatch', one)
    const decided = { checker_id: context.staff.id, decided_at: context.now }
    const set = { status: 'rejected' as const, reject_reason: reason, ...decided }
    return batches.save(context, was, set, reason)
  },
  exportSecrets: async ({ reason, ...one }, context) => {
    const was = await batchFor(context, 'exportSecrets', one)
    const sealer = await sealerHere(context)
    const lines: string[] = []
    for (let after = 0; ; await breath()) {
      const rows = await secretsOf(context.tx, was.id, after)
      if (rows.length === 0) break
      for (const row of rows)
        lines.push(`${row.card_no},${groupedCode(sealer.open(row.sealed, row.hash))}`)
      after = rows.at(-1)!.id
    }
    if (lines.length === 0)
      throw ruled('nothing_to_export', [
        '该批次没有可激活的卡号',
        'No number of the batch may still be activated',
      ])
    const secret_password = drawPassword()
    const name = `vip-${was.batch_no}`
    const text = `card_no,secret\r\n${lines.join('\r\n')}\r\n`
    const file = await aesZip(`${name}.csv`, text, secret_password)
    const after = await batches.save(context, was, { exports: was.exports + 1 }, reason)
    return {
      ...after,
      rows: lines.length,
      left: was.made_n - lines.length,
      name: `${name}.zip`,
      secret_file: file.toString('base64'),
      secret_password,
    }
  },
  issue: async ({ channel, ...one }, context) => {
    const was = await batchFor(context, 'issue', one)
    const issued = await issueNumbers(context.tx, { batch_id: was.id, channel, now: context.now })
    if (issued === 0)
      throw ruled('nothing_to_issue', ['没有未发放的卡号', 'All its numbers are handed out'])
    return { ...(await batches.save(context, was, { channel })), issued }
  },
  extendBatch: async ({ expire_at, reason, ...one }, context) => {
    const was = await batchFor(context, 'extendBatch', one)
    faultless(context.staff, {
      expire_at:
        expire_at > was.expire_at ? undefined : ['只能延后，不能提前', 'Later only, never earlier'],
    })
    await extendNumbers(context.tx, { batch_id: was.id, expire_at, now: context.now })
    return batches.save(context, was, { expire_at }, reason)
  },
} satisfies { [K in keyof typeof vipBatches]: Handler<(typeof vipBatches)[K]> }

const each = (
  context: WriteContext,
  { ids, reason }: { ids: number[]; reason: string },
  [verb, status]: readonly [VipCodeVerb, 'frozen' | 'void'],
) =>
  eachRow(context, ids, async (inside, id) => {
    const was = allowed(verb, await codes.lock(inside, id), inside.now)
    await codes.save(inside, was, { status, reason }, reason)
  })
const codeHandlers = {
  lst: codeList.page,
  members: pickMembers,
  freeze: (asked, context) => each(context, asked, ['freeze', 'frozen']),
  voidCodes: (asked, context) => each(context, asked, ['voidCodes', 'void']),
  unfreeze: async (one, context) => {
    const was = allowed('unfreeze', await codes.heldFast(context, one), context.now)
    return codes.save(context, was, { status: 'issued', reason: '' })
  },
  rebind: async ({ member_id, reason, ...one }, context) => {
    const was = allowed('rebind', await codes.heldFast(context, one), context.now)
    const [holder] = await context.tx
      .select({ account_state: member.account_state })
      .from(member)
      .where(eq(member.id, member_id))
    if (!holder) throw missing()
    if (holder.account_state !== 'normal')
      throw ruled('member_not_normal', [
        '该会员账号状态异常，不能绑定',
        'The account of the member is not in order',
      ])
    if (was.member_id === member_id)
      throw ruled('same_member', ['已绑定该会员', 'It is bound to the member already'])
    return codes.save(context, was, { member_id, reason }, reason)
  },
} satisfies { [K in keyof typeof vipCodes]: Handler<(typeof vipCodes)[K]> }

const appHandlers = {
  activate: async (asked, context) => ({
    state: await tryNumber(context.tx, await sealerHere(context), { ...asked, now: context.now }),
  }),
} satisfies { [K in keyof typeof vipApp]: Handler<(typeof vipApp)[K]> }

export const vipBatchServer = implement(vipBatches, batchHandlers)
export const vipCodeServer = implement(vipCodes, codeHandlers)
export const vipAppServer = implement(vipApp, appHandlers)

const ROUNDS = 20
/** Does a piece of work over and over until it finds nothing more, or for so many rounds. */
const untilDone = async (some: () => Promise<number>): Promise<number> => {
  let all = 0
  for (let round = 0; round < ROUNDS; round++) {
    const n = await some()
    all += n
    if (n === 0) break
  }
  return all
}
defineTimer('vip.expire', '*/5 * * * *', async ({ database, now }) => {
  const run = (work: (tx: Db, at: number) => Promise<number>) =>
    untilDone(() => database.transaction(tx => work(tx, now)))
  const ended = await run(turnMemberships)
  const expired = await run(expireNumbers)
  return [
    ...(ended > 0 ? ['vip_subscription'] : []),
    ...(expired > 0 ? vipCodes.freeze.touches : []),
  ]
})
